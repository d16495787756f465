import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { identityProvider } from '../testing/identity-provider.ts'
import { samlFor } from '../testing/saml.ts'
import { served } from '../testing/served.ts'

const idp = identityProvider({ audience: 'gantry', recipient: 'http://localhost/login/acme/saml/corporate' })
const { metadata, entityId } = idp
const umlaut = 'urn:universität'
const renamed = metadata.replace(`entityID="${entityId}"`, `entityID="${umlaut}"`)
const descriptor = /<md:IDPSSO[^]*<\/md:IDPSSODescriptor>/.exec(metadata)?.[0] ?? ''
const key = /<md:KeyDescriptor[^]*<\/md:KeyDescriptor>/.exec(metadata)?.[0] ?? ''
const claim =
  '<fed:ClaimType xmlns:fed="urn:fed" Uri="urn:claim"><fed:DisplayName>A name</fed:DisplayName></fed:ClaimType>'
const [post = '', redirect = ''] = metadata.match(/<md:SingleSignOnService[^>]*>/g) ?? []

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: samlFor(['127.0.0.1/32']) } })
  admin = await bed.signIn('admin')
  const id = await bed.addSilo('acme')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
})
afterAll(() => bed.stop())

const check = (idp_metadata_source: object) =>
  admin.post('/ext/v1/saml-metadata-checks?silo=acme', { idp_metadata_source })
const checkFile = (bytes: Buffer | string) =>
  check({ type: 'base64_encoded_xml', data: Buffer.from(bytes).toString('base64') })

describe('forms in which identity providers hand out their metadata', () => {
  test.each<[what: string, file: Buffer | string]>([
    ['plain', metadata],
    ['with a byte order mark', `\uFEFF${metadata}`],
    ['with line ends of Windows', metadata.replaceAll('><', '>\r\n<')],
    ['behind a comment of a licence', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- (C) -->\n${metadata}`],
    ['in the default namespace', metadata.replaceAll(/(<\/?)md:/g, '$1').replace('xmlns:md', 'xmlns')],
    ['with redirect before post', metadata.replace(post + redirect, redirect + post)],
    ['with a key to encrypt beside', metadata.replace(key, `${key.replace('signing', 'encryption')}${key}`)],
    ['with a name of the key', metadata.replace('<ds:X509Data>', '<ds:KeyName>a</ds:KeyName>$&')],
    [
      'with blanks around addresses',
      metadata.replace('"https://idp.example/sso', '"\n https://idp.example/sso'),
    ],
    [
      'of a directory with its claims, 71 kB',
      metadata.replace('<md:IDPSSO', `<x>${claim.repeat(700)}</x>$&`),
    ],
    [
      'as the only entity of a list',
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" Name="urn:keycloak">${metadata}</md:EntitiesDescriptor>`,
    ],
    [
      'with a descriptor for SAML 1.1 before',
      metadata.replace(
        descriptor,
        `${descriptor.replaceAll(':2.0:protocol', ':1.1:protocol').replace(key, '')}${descriptor}`,
      ),
    ],
  ])('%s', async (_, file) => {
    const { status, body } = await checkFile(file)
    expect([status, body.message]).toEqual([200, undefined])
    expect(body).toMatchObject({ entity_id: entityId, sign_in_url: 'https://idp.example/sso?tenant=1' })
    expect(body.certificates).toHaveLength(1)
  })

  test('in ISO-8859-1', async () => {
    const file = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${renamed}`, 'latin1')
    expect((await checkFile(file)).body.entity_id).toBe(umlaut)
  })

  test('a web page is named as such', async () => {
    const { status, body } = await checkFile(
      '<!DOCTYPE html><html><head><title>Sign in</title></head></html>',
    )
    expect([status, body.message]).toEqual([400, expect.stringMatching(/it is a web page, not metadata$/)])
  })
})

test.each<[what: string, contentType: string, file: Buffer]>([
  [
    'its charset, without a declaration',
    'application/samlmetadata+xml; charset=ISO-8859-1',
    Buffer.from(renamed, 'latin1'),
  ],
  [
    'its charset, against the declaration',
    'text/xml;charset="utf-8"',
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${renamed}`),
  ],
  ['a byte order mark, against its charset', 'text/xml; charset=iso-8859-1', Buffer.from(`\uFEFF${renamed}`)],
  [
    'the declaration, without a charset',
    'text/xml',
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${renamed}`, 'latin1'),
  ],
  ['UTF-8, without either', 'application/xml', Buffer.from(renamed)],
])('metadata at a URL is read by %s', async (_, contentType, file) => {
  const url = await served((_request, response) => {
    response.setHeader('content-type', contentType)
    response.end(file)
  })
  const { status, body } = await check({ type: 'url', url })
  expect([status, body.entity_id]).toEqual([200, umlaut])
})
