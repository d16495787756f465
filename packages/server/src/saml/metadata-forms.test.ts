import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { identityProvider, signed } from '../testing/identity-provider.ts'
import { samlFor } from '../testing/saml.ts'
import { type SelfSigned, selfSigned } from '../testing/self-signed.ts'
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

const keyOf = (certificate: string, use = 'use="signing"') =>
  key.replace('use="signing"', use).replace(idp.keys.certificate, certificate)
const second = selfSigned('second')
const third = selfSigned('third')
/** Signs nothing but metadata, or for other protocols. */
const foreign = selfSigned('foreign')

/** Metadata signed as a whole by the key of a federation, whose certificate must not count as the provider's. */
const signedMetadata = (): string => {
  const named = metadata.replace('entityID=', 'ID="_metadata" validUntil="2099-01-01T00:00:00Z" entityID=')
  const begin = /^<md:EntityDescriptor[^>]*>/.exec(named)?.[0] ?? ''
  const { privateKey, certificate } = foreign
  return signed(named, begin, '_metadata', { key: privateKey, certificate, algorithm: 'sha256' })
}

/** In the shape of Entra ID: roles of WS-Federation before, and three certificates during a key change. */
const ofEntra = (): string => {
  const fed = 'xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706"'
  const role = (type: string) =>
    `<RoleDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${fed} xsi:type="fed:${type}" protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706">` +
    `${keyOf(foreign.certificate).replaceAll('md:', '')}<fed:PassiveRequestorEndpoint><EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://idp.example/wsfed</Address></EndpointReference></fed:PassiveRequestorEndpoint></RoleDescriptor>`
  const logout =
    '<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/out"/>'
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>${metadata
    .replace('<md:IDPSSO', `${role('SecurityTokenServiceType')}${role('ApplicationServiceType')}$&`)
    .replace(key, key + keyOf(second.certificate) + keyOf(third.certificate) + logout)
    .replace(post + redirect, redirect + post)}`
}

/** In the shape of Shibboleth: several protocols and scopes, keys in lines and without a use, an authority beside. */
const ofShibboleth = (): string => {
  const inLines = (idp.keys.certificate.match(/.{1,64}/g) ?? []).join('\n')
  const scope =
    '<md:Extensions><shibmd:Scope xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" regexp="false">example</shibmd:Scope>' +
    '<mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui"><mdui:DisplayName xml:lang="en">A name</mdui:DisplayName></mdui:UIInfo></md:Extensions>'
  const old =
    '<md:ArtifactResolutionService Binding="urn:oasis:names:tc:SAML:1.0:bindings:SOAP-binding" Location="https://idp.example:8443/artifact" index="1"/>' +
    '<md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</md:NameIDFormat>' +
    '<md:SingleSignOnService Binding="urn:mace:shibboleth:1.0:profiles:AuthnRequest" Location="https://idp.example/shibboleth"/>'
  const authority = descriptor
    .replaceAll('IDPSSODescriptor', 'AttributeAuthorityDescriptor')
    .replace(
      post + redirect,
      '<md:AttributeService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://idp.example:8443/query"/>',
    )
    .replace(key, keyOf(foreign.certificate))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!--\n     This is example metadata only.\n-->\n${metadata
    .replace(':2.0:protocol"', ':2.0:protocol urn:oasis:names:tc:SAML:1.1:protocol urn:mace:shibboleth:1.0"')
    .replace(
      key,
      `${scope}${keyOf(`\n${inLines}\n`, '')}${keyOf(foreign.certificate, 'use="encryption"')}${old}`,
    )
    .replace('</md:EntityDescriptor>', `${authority}$&`)}`
}

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

  test.each<[what: string, file: () => string, certificates: readonly SelfSigned[]]>([
    ['signed as a whole', signedMetadata, [idp.keys]],
    ['of Entra ID, with three certificates', ofEntra, [idp.keys, second, third]],
    ['of Shibboleth', ofShibboleth, [idp.keys]],
  ])('%s: users sign in by each of its keys, and by no other', async (what, file, keys) => {
    const { status, body } = await checkFile(file())
    expect([status, body.message]).toEqual([200, undefined])
    expect(body).toMatchObject({ entity_id: entityId, sign_in_url: 'https://idp.example/sso?tenant=1' })
    expect(body.certificates).toHaveLength(keys.length)

    const name = what.toLowerCase().replaceAll(/[^a-z]+/g, '-')
    const acs_url = `http://localhost/login/acme/saml/${name}`
    const made = await admin.post('/v1/system/identity-providers/saml?silo=acme', {
      name,
      description: '',
      idp_metadata_source: { type: 'base64_encoded_xml', data: Buffer.from(file()).toString('base64') },
      idp_entity_id: entityId,
      sp_client_id: 'gantry',
      acs_url,
      slo_url: 'http://localhost/out',
      technical_contact_email: 'ops@example.com',
    })
    expect(made.status).toBe(201)
    const signsIn = async ({ privateKey, certificate }: SelfSigned) => {
      const said = { recipient: acs_url, destination: acs_url }
      const SAMLResponse = idp.post(said, { key: privateKey, certificate })
      const request = new Request(acs_url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://idp.example',
          'sec-fetch-site': 'cross-site',
        },
        body: new URLSearchParams({ SAMLResponse }).toString(),
      })
      const { headers } = await bed.plane.fetch(request, { address: '192.0.2.1' })
      return headers.has('set-cookie')
    }
    for (const one of keys) expect(await signsIn(one)).toBe(true)
    expect(await signsIn(foreign)).toBe(false)
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
