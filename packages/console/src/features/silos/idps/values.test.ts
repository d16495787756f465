import { expect, test } from 'vitest'
import { emptyProvider, keyPairProblem, metadataSource, providerBody, standardAcsUrl } from './values.ts'

test.each([
  ['demo.sys.gantry.example', 'https://forge.sys.gantry.example/login/forge/saml/corporate'],
  ['127.0.0.1', 'https://forge.sys.placeholder/login/forge/saml/corporate'],
])('on %s the standard ACS URL is %s', (host, url) =>
  expect(standardAcsUrl(host, 'forge', 'corporate')).toBe(url),
)

const file = (text: string) => new File([text], 'key.der')

test('a signing key pair needs both parts or neither', async () => {
  expect(keyPairProblem({ publicCert: file('a'), privateKey: undefined })).toHaveProperty('privateKey')
  expect(keyPairProblem({ publicCert: undefined, privateKey: file('a') })).toHaveProperty('publicCert')
  expect(keyPairProblem({ publicCert: undefined, privateKey: undefined })).toEqual({})
  const values = { ...emptyProvider(''), publicCert: file('a'), privateKey: file('b') }
  const body = await providerBody(values, { type: 'url', url: 'https://idp.example' })
  expect(body.signingKeypair).toEqual({ publicCert: 'YQ==', privateKey: 'Yg==' })
})

test('reads the metadata from the selected source', async () => {
  const values = { ...emptyProvider(''), metadataUrl: ' https://idp.example ', metadataXml: file('<a/>') }
  expect(await metadataSource(values)).toEqual({ type: 'url', url: 'https://idp.example' })
  const xml = await metadataSource({ ...values, metadataKind: 'xml' })
  expect(xml).toEqual({ type: 'base64_encoded_xml', data: 'PGEvPg==' })
  expect(await metadataSource({ ...values, metadataUrl: ' ' })).toBeUndefined()
})
