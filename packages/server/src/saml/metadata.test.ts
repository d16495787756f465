import { expect, test } from 'vitest'
import { samlMetadataMaxBytes } from '@gantry/api/people/saml.rules'
import { textOfXml } from '@gantry/control-plane/modules/sign-in/saml/metadata-text'
import { identityProvider } from '../testing/identity-provider.ts'
import { metadataFacts } from './metadata-facts.ts'

const idp = identityProvider({ audience: 'gantry', recipient: 'https://gantry.example/acs' })
const entityOf = (metadata: string) => /entityID="([^"]*)"/.exec(metadata)?.[1] ?? ''
const own = entityOf(idp.metadata)
const named = (id: string) => idp.metadata.replace(`entityID="${own}"`, `entityID="${id}"`)
const listed = (...entities: string[]) =>
  `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" Name="urn:list">${entities.join('')}</md:EntitiesDescriptor>`
const saml1 = idp.metadata.replaceAll('SAML:2.0:protocol', 'SAML:1.1:protocol')
const certificate = idp.keys.certificate
const inLines = (base64: string) => (base64.match(/.{1,64}/g) ?? []).join('\r\n    ')
const claims =
  '<fed:Claim xmlns:fed="urn:fed" Uri="urn:claim"><fed:Name>A name of a claim</fed:Name></fed:Claim>'
const sp = named('urn:sp').replaceAll('IDPSSODescriptor', 'SPSSODescriptor')

const read = async (text: string, entityId?: string) => (await metadataFacts(text, entityId)).description

test.each<[what: string, text: string, entityId?: string]>([
  ['as it is', idp.metadata],
  [
    'of a directory, with every claim it offers',
    idp.metadata.replace('<md:IDPSSO', `<x>${claims.repeat(700)}</x>$&`),
  ],
  ['in a list', listed(idp.metadata)],
  ['in a list within a list', listed(listed(idp.metadata))],
  ['in a list with a service provider', listed(sp, idp.metadata)],
  ['in a list with others, by its name', listed(named('urn:a'), idp.metadata, named('urn:b')), own],
  [
    'with the same provider for SAML 1.1 before',
    idp.metadata.replace('<md:IDPSSO', `${/<md:IDPSSO[^]*<\/md:IDPSSODescriptor>/.exec(saml1)?.[0] ?? ''}$&`),
  ],
  ['with a certificate in lines', idp.metadata.replace(certificate, `\n    ${inLines(certificate)}\n`)],
  [
    'with a certificate in PEM',
    idp.metadata.replace(
      certificate,
      `-----BEGIN CERTIFICATE-----\n${inLines(certificate)}\n-----END CERTIFICATE-----\n`,
    ),
  ],
  [
    'with blanks around the address',
    idp.metadata.replace('"https://idp.example/sso?', '" https://idp.example/sso?'),
  ],
])('metadata %s is read', async (_, text, entityId) => {
  const metadata = await read(text, entityId)
  expect(metadata).toMatchObject({ entity_id: own, sign_in_url: 'https://idp.example/sso?tenant=1' })
  expect(metadata.certificates).toHaveLength(1)
})

test('of a certificate chain, only the first signs', async () => {
  const block = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
  const other = identityProvider({ audience: 'gantry', recipient: 'https://gantry.example/acs' })
  const chain = `${block(certificate)}${block(other.keys.certificate)}`
  const [one, ...more] = (await metadataFacts(idp.metadata.replace(certificate, chain), undefined))
    .certificates
  expect(one?.replaceAll(/\s/g, '')).toContain(certificate.replaceAll(/\s/g, ''))
  expect(more).toEqual([])
})

test('metadata in another encoding is read in that one', async () => {
  const document = `<?xml version="1.0" encoding="ISO-8859-1"?>${named('urn:universität')}`
  const bytes = new Uint8Array(Buffer.from(document, 'latin1'))
  expect((await read(textOfXml(bytes))).entity_id).toBe('urn:universität')
  const undeclared = new Uint8Array(Buffer.from(named('urn:universität'), 'latin1'))
  await expect(read(textOfXml(undeclared))).rejects.toThrow(/bytes that are not in its encoding/)
})

test.each<[what: string, text: string, message: RegExp, help?: RegExp]>([
  ['a web page', '<!doctype html><html><body>Sign in</body></html>', /it is a web page, not metadata$/],
  [
    'a web page with comments',
    '\n<!-- a -->\n<?xml version="1.0"?><!--b--><HTML lang="en"/>',
    /it is a web page/,
  ],
  ['an element that begins like one', '<htmlx/>', /^no md:IDPSSODescriptor section$/],
  ['a service provider', sp, /^no md:IDPSSODescriptor section$/, /describes a service provider/],
  ['SAML 1.1 only', saml1, /does not support SAML 2.0$/],
  ['two others', listed(named('urn:a'), named('urn:b')), /describes 2 identity providers/, /urn:a, urn:b\.$/],
  [
    'a certificate that is none',
    idp.metadata.replace(certificate, 'AAAA'),
    /^no signing key found/,
    /cannot be read/,
  ],
  [
    'another binding only',
    idp.metadata.replaceAll('HTTP-Redirect', 'HTTP-Artifact'),
    /^zero redirect/,
    /by HTTP-POST, HTTP-Artifact/,
  ],
])('%s is refused with the reason', async (_, text, message, help) => {
  const refusal = await metadataFacts(text, own === 'urn:a' ? '' : own).then(
    () => undefined,
    (error: unknown) => error as Error & { extra: { help?: string } },
  )
  expect(refusal?.message).toMatch(message)
  expect(refusal?.extra.help).toMatch(help ?? /metadata document that the identity provider publishes/)
})

test('documents of the maximum size are read', async () => {
  const fill = (unit: string, from: string) =>
    unit.repeat(Math.floor((samlMetadataMaxBytes - from.length - 1000) / unit.length))
  const many = Array.from({ length: 100 }, (_, at) => named(`urn:${at}`))
  expect((await read(listed(...many), 'urn:99')).entity_id).toBe('urn:99')
  const padded = idp.metadata.replace('<md:IDPSSO', `<!--${fill('x', idp.metadata)}-->$&`)
  expect((await read(padded)).entity_id).toBe(own)
})
