import { expect, test } from 'vitest'
import { originHere } from '../host.ts'
import {
  emptyProvider,
  keyPairProblem,
  metadataSource,
  providerBody,
  standardAcsUrl,
  updateBody,
} from './values.ts'

test.each([
  ['demo.sys.gantry.example', 'https://forge.sys.gantry.example/login/forge/saml/corporate'],
  ['gantry.example', 'https://gantry.example/login/forge/saml/corporate'],
])('on %s the standard ACS URL is %s', (hostname, url) => {
  const origin = originHere({ hostname, origin: `https://${hostname}` }, 'forge')
  expect(standardAcsUrl(origin, 'forge', 'corporate')).toBe(url)
})

const file = (text: string) => new File([text], 'key.der')

test('a signing key pair needs both parts or neither', async () => {
  expect(keyPairProblem({ publicCert: file('a'), privateKey: undefined })).toHaveProperty('privateKey')
  expect(keyPairProblem({ publicCert: undefined, privateKey: file('a') })).toHaveProperty('publicCert')
  expect(keyPairProblem({ publicCert: undefined, privateKey: undefined })).toEqual({})
  const values = { ...emptyProvider(''), publicCert: file('a'), privateKey: file('b') }
  const body = await providerBody(values, { type: 'url', url: 'https://idp.example' })
  expect(body.signingKeypair).toEqual({ publicCert: 'YQ==', privateKey: 'Yg==' })
})

test.each([
  ['PKCS #8', '-----BEGIN PRIVATE KEY-----\nYg==\n-----END PRIVATE KEY-----\n'],
  ['PKCS #1', '-----BEGIN RSA PRIVATE KEY-----\r\nY\r\ng==\r\n-----END RSA PRIVATE KEY-----\r\n'],
])('a key pair in PEM, %s, is sent as its DER', async (_, key) => {
  const certificate = '-----BEGIN CERTIFICATE-----\r\nYW\r\nE=\r\n-----END CERTIFICATE-----\n'
  const values = { ...emptyProvider(''), publicCert: file(certificate), privateKey: file(key) }
  const { signingKeypair } = await providerBody(values, { type: 'url', url: 'https://idp.example' })
  expect(signingKeypair).toEqual({ publicCert: 'YWE=', privateKey: 'Yg==' })
})

test('an encrypted key is left for the server to refuse', async () => {
  const text = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nYg==\n-----END ENCRYPTED PRIVATE KEY-----\n'
  const values = { ...emptyProvider(''), publicCert: file('a'), privateKey: file(text) }
  const { signingKeypair } = await providerBody(values, { type: 'url', url: 'https://idp.example' })
  expect(signingKeypair?.privateKey).toBe(btoa(text))
})

test('reads the metadata from the selected source', async () => {
  const values = { ...emptyProvider(''), metadataUrl: ' https://idp.example ', metadataXml: file('<a/>') }
  expect(await metadataSource(values)).toEqual({ type: 'url', url: 'https://idp.example' })
  const xml = await metadataSource({ ...values, metadataKind: 'xml' })
  expect(xml).toEqual({ type: 'base64_encoded_xml', data: 'PGEvPg==' })
  expect(await metadataSource({ ...values, metadataUrl: ' ' })).toBeUndefined()
})

test('an update keeps the metadata and the key unless new ones are given', async () => {
  const body = await updateBody({ ...emptyProvider('https://gantry.example/acs'), spClientId: ' gantry ' })
  expect(body).toMatchObject({
    acsUrl: 'https://gantry.example/acs',
    spClientId: 'gantry',
    groupAttributeName: '',
  })
  expect(body).not.toHaveProperty('idpMetadataSource')
  expect(body).not.toHaveProperty('signingKeypair')
})
