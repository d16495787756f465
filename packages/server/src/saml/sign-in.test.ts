import { inflateRawSync } from 'node:zlib'
import { createPublicKey, generateKeyPairSync, randomBytes, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { defaultSettings } from '@gantry/control-plane/settings'
import { aesSeal } from '../seal/aes-seal.ts'
import { parseKeys } from '../seal/seal-keys.ts'
import { identityProvider } from '../testing/identity-provider.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { served } from '../testing/served.ts'
import { samlFor } from '../testing/saml.ts'

/** Configured to allow fetching metadata from loopback. */
const saml = samlFor(['127.0.0.0/8'])
const acs_url = 'http://localhost/login/acme/saml/corporate'
const idp = identityProvider({ audience: 'gantry', recipient: acs_url })
const providers = '/v1/system/identity-providers/saml'
const encode = (text: string): string => Buffer.from(text).toString('base64')
const create = {
  name: 'corporate',
  description: 'Corporate login',
  idp_metadata_source: { type: 'base64_encoded_xml', data: encode(idp.metadata) },
  idp_entity_id: idp.entityId,
  sp_client_id: 'gantry',
  acs_url,
  slo_url: 'http://localhost/slo',
  technical_contact_email: 'ops@example.com',
  group_attribute_name: 'groups',
}

let bed: TestBed
let admin: Caller
let acme: string
beforeAll(async () => {
  // With a key, so that every signed request unseals one.
  const seal = aesSeal(parseKeys('keys', randomBytes(32).toString('base64')))
  bed = await testControlPlane({ environment: { saml, seal } })
  admin = await bed.signIn('admin')
  acme = await addSamlSilo('acme')
  const made = await admin.post(`${providers}?silo=acme`, create)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
})
afterAll(() => bed.stop())

async function addSamlSilo(name: string): Promise<string> {
  const id = await bed.addSilo(name)
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
  return id
}

/** Posts like a browser sent by an identity provider's page. */
async function post(
  form: Record<string, string> | string,
  { path = '/login/acme/saml/corporate', cookie = '' } = {},
) {
  const response = await bed.plane.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://idp.example',
        'sec-fetch-site': 'cross-site',
        'user-agent': 'a browser',
        ...(cookie ? { cookie } : {}),
      },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    }),
    { address: '192.0.2.1' },
  )
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>
  const session = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const get = (path: string) => bed.anonymous.call('GET', path, undefined, { cookie: session })
  const location = response.headers.get('location')
  return { status: response.status, headers: response.headers, body, session, location, get }
}
const signIn = (said: Parameters<typeof idp.post>[0] = {}) => post({ SAMLResponse: idp.post(said) })
const relay = (state: unknown) => encode(JSON.stringify(state))
const groupsOf = async (who: Awaited<ReturnType<typeof post>>) =>
  (await who.get('/v1/me/groups')).body.items
    .map((group: { display_name: string }) => group.display_name)
    .sort()

describe('signing in', () => {
  test('creates missing users and groups, and redirects to the home page', async () => {
    const who = await signIn({ subject: 'carol@example.com', attributes: { groups: ['ops, dev'] } })
    expect([who.status, who.location, who.headers.get('set-cookie')]).toEqual([
      303,
      '/',
      expect.stringMatching(/^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/),
    ])
    expect((await who.get('/v1/me')).body).toMatchObject({
      display_name: 'carol@example.com',
      silo_name: 'acme',
      fleet_viewer: false,
      silo_admin: false,
    })
    expect(await groupsOf(who)).toEqual(['dev', 'ops'])
    expect((await who.get('/ext/v1/me/sessions')).body.items).toMatchObject([
      { user_agent: 'a browser', address: '192.0.2.1', current: true },
    ])
    const audit = await bed.db
      .selectFrom('audit')
      .select(['operation_id', 'http_status_code', 'actor'])
      .where('operation_id', '=', 'login_saml')
      .execute()
    expect(audit).toEqual([
      { operation_id: 'login_saml', http_status_code: 303, actor: { kind: 'unauthenticated' } },
    ])
  })

  test('recognises a returning user, with exactly the groups of the assertion', async () => {
    const subject = 'dave@example.com'
    const first = await signIn({ subject, attributes: { groups: ['ops', 'dev'] } })
    const again = await signIn({ subject, attributes: { groups: ['dev', 'qa', 'qa'] } })
    expect(again.session).not.toBe(first.session)
    expect((await again.get('/v1/me')).body.id).toBe((await first.get('/v1/me')).body.id)
    for (const who of [first, again]) expect(await groupsOf(who)).toEqual(['dev', 'qa'])
    expect(await groupsOf(await signIn({ subject }))).toEqual([])
  })

  test('never becomes a service account, whatever the assertion says', async () => {
    const row = {
      id: crypto.randomUUID(),
      time_created: new Date(),
      time_modified: new Date(),
      silo_id: acme,
      external_id: 'deployer@1f3a9c2b',
      is_service_account: true,
    }
    await bed.db.insertInto('silo_user').values(row).execute()
    const refused = await post({ SAMLResponse: idp.post({ subject: row.external_id }) })
    expect([refused.status, refused.session]).toEqual([401, ''])
    expect(refused.body.message).toContain('is the name of a service account of this silo')
  })

  test('at the session limit ends the session unused for longest', async () => {
    const { limits } = defaultSettings
    const subject = 'gina@example.com'
    const first = await signIn({ subject })
    const { id } = (await first.get('/v1/me')).body
    const row = { silo_user_id: id, time_created: new Date(), time_last_used: new Date() }
    for (let number = 1; number < limits.sessions_per_person; number += 1)
      await bed.db
        .insertInto('console_session')
        .values({ ...row, id: crypto.randomUUID(), token_hash: `${number}` })
        .execute()
    const next = await signIn({ subject })
    expect([(await first.get('/v1/me')).status, (await next.get('/v1/me')).status]).toEqual([401, 200])
    const kept = await bed.db
      .selectFrom('console_session')
      .select('id')
      .where('silo_user_id', '=', id)
      .execute()
    expect(kept).toHaveLength(limits.sessions_per_person)
  })

  test('grants the roles of a group, including administrators of a silo', async () => {
    const row = { id: crypto.randomUUID(), time_created: new Date(), time_modified: new Date() }
    await bed.db
      .insertInto('silo_group')
      .values({ ...row, silo_id: acme, external_id: 'admins' })
      .execute()
    await bed.db
      .insertInto('role_assignment')
      .values({
        resource_type: 'silo',
        resource_id: acme,
        identity_type: 'silo_group',
        identity_id: row.id,
        role_name: 'admin',
      })
      .execute()
    const subject = 'erin@example.com'
    const isAdmin = async (groups: string[]) =>
      (await (await signIn({ subject, attributes: { groups } })).get('/v1/me')).body.silo_admin
    expect(await isAdmin(['admins'])).toBe(true)
    expect(await isAdmin(['Admins'])).toBe(false)
    expect(await isAdmin([])).toBe(false)
  })

  test('of one user at many places at once creates user and groups once', async () => {
    const said = { subject: 'frank@example.com', attributes: { groups: ['g-one,g-two,g-three'] } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(said)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(303))
    const ids = await Promise.all(answers.map(async (who) => (await who.get('/v1/me')).body.id))
    expect(new Set(ids).size).toBe(1)
    for (const who of answers.slice(0, 2)) expect(await groupsOf(who)).toEqual(['g-one', 'g-three', 'g-two'])
  })

  test('works once per assertion, even with concurrent attempts', async () => {
    const SAMLResponse = idp.post({ subject: 'grace@example.com' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ SAMLResponse })))
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      303, 400, 400, 400, 400, 400,
    ])
    const late = await post({ SAMLResponse })
    expect([late.status, late.body.message, late.session]).toEqual([400, 'the assertion was used before', ''])
    expect(late.body).not.toHaveProperty('error_code')
    // The same response in a different encoding is the same assertion.
    const spaced = Buffer.from(SAMLResponse, 'base64')
      .toString()
      .replace('</samlp:Response>', ' </samlp:Response>')
    expect((await post({ SAMLResponse: encode(spaced) })).body.message).toBe('the assertion was used before')
  })

  test('ignores an existing session of the browser', async () => {
    const planted = `session=${'cd'.repeat(20)}`
    const who = await post({ SAMLResponse: idp.post() }, { cookie: planted })
    expect(who.status).toBe(303)
    expect(who.session).not.toBe(planted)
    expect((await bed.anonymous.call('GET', '/v1/me', undefined, { cookie: planted })).status).toBe(401)
  })
})

describe('redirecting afterwards', () => {
  test.each([
    ['/projects/web?tab=disks#top', '/projects/web?tab=disks#top'],
    ['/é', '/%C3%A9'],
    ['/a/../b', '/b'],
    ['/projects?x=//evil.example', '/projects?x=//evil.example'],
  ])('%s redirects to %s', async (redirect_uri, path) => {
    expect((await post({ SAMLResponse: idp.post(), RelayState: relay({ redirect_uri }) })).location).toBe(
      path,
    )
  })

  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/\r\nset-cookie: a=b',
    'javascript:alert(1)',
    'projects',
    '',
  ]
  test.each(elsewhere)('%j redirects nowhere, and costs nothing', async (redirect_uri) => {
    const SAMLResponse = idp.post()
    const refused = await post({ SAMLResponse, RelayState: relay({ redirect_uri }) })
    expect([refused.status, refused.body.message, refused.location]).toEqual([
      400,
      `${JSON.stringify(redirect_uri)} is not a relative URI`,
      null,
    ])
    expect((await post({ SAMLResponse })).status).toBe(303)
    const begun = await bed.anonymous.get(
      `/login/acme/saml/corporate/redirect?redirect_uri=${encodeURIComponent(redirect_uri)}`,
    )
    expect([begun.status, begun.body.message]).toEqual([400, refused.body.message])
  })

  test.each(['x', relay(7), relay({}), relay({ redirect_uri: 7 }), relay(null)])(
    'a foreign state (%s) is refused',
    async (RelayState) => {
      const refused = await post({ SAMLResponse: idp.post(), RelayState })
      expect([refused.status, refused.body.message]).toEqual([400, 'RelayState is not one of this server'])
    },
  )
})

describe('a refusal', () => {
  test('gives a reason, opens no session and creates no user', async () => {
    const people = async () => (await bed.db.selectFrom('silo_user').select('id').execute()).length
    const before = await people()
    const { privateKey } = selfSigned('evil.example')
    for (const [SAMLResponse, message] of [
      [idp.post({ subject: 'mallory' }, { what: 'nothing' }), 'SAMLResponse is not signed'],
      [idp.post({ subject: 'mallory' }, { key: privateKey }), 'the signature is not valid'],
      [idp.post({ subject: 'mallory', audience: 'x' }), 'the assertion is for another audience'],
      [idp.post({ subject: 'm'.repeat(513) }), 'a name in the assertion is longer than 512 characters'],
      ['%', 'SAMLResponse is not base64'],
    ] as const) {
      const refused = await post({ SAMLResponse })
      expect([refused.status, refused.body.message, refused.session]).toEqual([400, message, ''])
      expect(refused.body.help).toMatch(/\.$/)
    }
    expect(await people()).toBe(before)
  })

  test('covers bodies that are too large, before reading them', async () => {
    const message = async (SAMLResponse: string) => (await post({ SAMLResponse })).body.message
    expect(await message('A'.repeat(90_000))).toBe('SAMLResponse is larger than 65536 bytes')
    expect(await message('A'.repeat(140_000))).toBe('request body exceeded maximum size of 131072 bytes')
  })

  test('is the same for an unknown silo and an unknown provider', async () => {
    const SAMLResponse = idp.post()
    const message = async (path: string) => (await post({ SAMLResponse }, { path })).body.message
    expect(await message('/login/nowhere/saml/corporate')).toBe(
      'not found: identity-provider with name "corporate"',
    )
    expect(await message('/login/acme/saml/other')).toBe('not found: identity-provider with name "other"')
    expect(await message('/login/demo/saml/corporate')).toBe(
      'not found: identity-provider with name "corporate"',
    )
    expect((await post('x=1')).body.message).toBe(
      'unable to parse URL-encoded body: missing field `SAMLResponse`',
    )
  })

  test('covers a response to another provider, or to a deleted one', async () => {
    const second = identityProvider({ audience: 'gantry', recipient: acs_url })
    const twin = { ...create, name: 'twin', acs_url: 'http://localhost/login/acme/saml/twin' }
    const made = await admin.post(`${providers}?silo=acme`, twin)
    expect(made.status).toBe(201)
    const path = '/login/acme/saml/twin'
    // The same provider signed it, but for the other URL.
    expect((await post({ SAMLResponse: idp.post() }, { path })).body.message).toBe(
      'SAMLResponse is for another recipient',
    )
    expect((await post({ SAMLResponse: second.post() })).body.message).toBe('the signature is not valid')
    const good = () => idp.post({ recipient: twin.acs_url, destination: twin.acs_url })
    expect((await post({ SAMLResponse: good() }, { path })).status).toBe(303)
    await bed.db
      .updateTable('saml_identity_provider')
      .set({ time_deleted: new Date() })
      .where('name', '=', 'twin')
      .execute()
    expect((await post({ SAMLResponse: good() }, { path })).status).toBe(404)
  })

  test('covers a deleted silo', async () => {
    const id = await addSamlSilo('closing')
    await admin.post(`${providers}?silo=closing`, create)
    const path = '/login/closing/saml/corporate'
    expect((await post({ SAMLResponse: idp.post() }, { path })).status).toBe(303)
    await bed.db.updateTable('silo').set({ time_deleted: new Date() }).where('id', '=', id).execute()
    expect((await post({ SAMLResponse: idp.post() }, { path })).status).toBe(404)
  })

  test('covers too many attempts, where successful ones do not count', async () => {
    // The clock is fixed, so that no attempt is refilled meanwhile.
    const now = new Date()
    const own = await testControlPlane({ environment: { saml, clock: () => now } })
    const request = () =>
      own.plane.fetch(
        new Request('http://localhost/login/demo/saml/nobody', { method: 'POST', body: 'SAMLResponse=x' }),
        { address: '192.0.2.9' },
      )
    const counts = { 404: 0, 429: 0 }
    for (const { status } of await Promise.all(Array.from({ length: 80 }, request)))
      counts[status as 404 | 429]++
    expect(counts).toEqual({ 404: 60, 429: 20 })
    // Later bodies are refused unread.
    const body = new ReadableStream(
      { pull: () => Promise.reject(new Error('somebody reads')) },
      { highWaterMark: 0 },
    )
    const unread = new Request('http://localhost/login/demo/saml/nobody', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    expect((await own.plane.fetch(unread, { address: '192.0.2.9' })).status).toBe(429)
    await own.stop()
  })
})

describe('redirecting to the provider', () => {
  const begin = async (query = '', path = '/login/acme/saml/corporate/redirect') => {
    const response = await bed.plane.fetch(new Request(`http://localhost${path}${query}`), { address: '' })
    return { status: response.status, url: new URL(response.headers.get('location') ?? 'x:') }
  }
  const requestIn = (url: URL): string =>
    inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()

  test('sends a request and the return path', async () => {
    const { status, url } = await begin(`?redirect_uri=${encodeURIComponent('/projects/web?a=b')}`)
    expect([status, url.origin, url.pathname]).toEqual([302, 'https://idp.example', '/sso'])
    expect([...url.searchParams.keys()].sort()).toEqual(['RelayState', 'SAMLRequest', 'tenant'])
    expect(requestIn(url)).toContain(`AssertionConsumerServiceURL="${acs_url}"`)
    expect(requestIn(url)).toContain('>gantry</saml:Issuer>')
    const RelayState = url.searchParams.get('RelayState') ?? ''
    expect(JSON.parse(Buffer.from(RelayState, 'base64').toString())).toEqual({
      redirect_uri: '/projects/web?a=b',
    })
    expect((await post({ SAMLResponse: idp.post(), RelayState })).location).toBe('/projects/web?a=b')
    expect([...(await begin()).url.searchParams.keys()].sort()).toEqual(['SAMLRequest', 'tenant'])
  })

  test('is signed if there is a key, which is never exposed', async () => {
    const { privateKey, certificate } = selfSigned('gantry.example')
    const der = (type: 'pkcs1' | 'pkcs8') => privateKey.export({ type, format: 'der' }).toString('base64')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const keys = { pkcs1: der('pkcs1'), pkcs8: der('pkcs8'), pem: encode(pem), 'pem-as-it-is': pem }
    for (const [type, private_key] of Object.entries(keys)) {
      const signing_keypair = { public_cert: certificate, private_key }
      const made = await admin.post(`${providers}?silo=acme`, { ...create, name: type, signing_keypair })
      expect([made.status, made.body.public_cert]).toEqual([201, certificate])
      const { url } = await begin('?redirect_uri=/images', `/login/acme/saml/${type}/redirect`)
      const signature = Buffer.from(url.searchParams.get('Signature') ?? '', 'base64')
      const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].map(
        (name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`,
      )
      const key = createPublicKey(
        new X509Certificate(Buffer.from(certificate, 'base64')).publicKey.export({
          type: 'spki',
          format: 'pem',
        }),
      )
      expect(verify('sha256', Buffer.from(signed.join('&')), key, signature)).toBe(true)
      const shown = JSON.stringify([
        made.body,
        (await admin.get(`${providers}/${type}?silo=acme`)).body,
        (await admin.get('/v1/system/identity-providers?silo=acme')).body,
        await bed.db.selectFrom('change').selectAll().execute(),
        await bed.db.selectFrom('audit').selectAll().execute(),
        bed.logged,
      ])
      expect(shown).not.toContain(private_key.slice(0, 100))
      const kept = await bed.db.selectFrom('saml_signing_key').select('private_key').execute()
      expect(kept.filter((row) => !row.private_key.startsWith('sealed:v1:'))).toEqual([])
    }
  })
})

test('is limited before a request is signed, without affecting others', async () => {
  const now = new Date()
  let signed = 0
  const counted = {
    ...saml,
    signInUrl: (...given: Parameters<typeof saml.signInUrl>) => {
      signed += 1
      return saml.signInUrl(...given)
    },
  }
  const own = await testControlPlane({ environment: { saml: counted, clock: () => now } })
  const id = await own.addSilo('busy')
  await own.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
  const fleetAdmin = await own.signIn('admin')
  expect((await fleetAdmin.post(`${providers}?silo=busy`, create)).status).toBe(201)
  const begin = (name: string, address = '192.0.2.7') =>
    own.plane.fetch(new Request(`http://localhost/login/busy/saml/${name}/redirect`), { address })
  // Unknown names cost the same as a known one.
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(
    Array.from({ length: 320 }, (_, index) => begin(index % 2 ? 'corporate' : 'nobody')),
  ))
    counts[status] = (counts[status] ?? 0) + 1
  expect((counts[302] ?? 0) + (counts[404] ?? 0)).toBe(300)
  expect(counts[429]).toBe(20)
  expect(signed).toBe(counts[302])
  const refused = await begin('corporate')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await begin('corporate', '192.0.2.8')).status).toBe(302)
  await own.stop()
})

describe('creating a provider', () => {
  const other = identityProvider({ audience: 'gantry', recipient: acs_url })
  const { privateKey, certificate } = selfSigned('gantry.example')
  const keyOf = (key: typeof privateKey) => key.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const xml = (text: string) => ({ idp_metadata_source: { type: 'base64_encoded_xml', data: encode(text) } })
  const at = (url: string) => ({ idp_metadata_source: { type: 'url', url } })
  const pair = (public_cert: string, private_key: string) => ({
    signing_keypair: { public_cert, private_key },
  })
  const noKeys = idp.metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, '')
  const noRedirect = idp.metadata.replaceAll('HTTP-Redirect', 'HTTP-Artifact')

  test.each<[what: string, body: object, message: RegExp]>([
    [
      'no base64',
      { idp_metadata_source: { type: 'base64_encoded_xml', data: '%' } },
      /^unsupported value for "data": /,
    ],
    ['no XML', xml('hello'), /^IDP metadata could not be read: IDP metadata is not XML$/],
    [
      'a document type',
      xml(`<!DOCTYPE x>${idp.metadata}`),
      /^IDP metadata could not be read: .*document type/,
    ],
    ['an empty document', xml(''), /^IDP metadata could not be read: /],
    [
      'no provider',
      xml(idp.metadata.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')),
      /^no md:IDPSSODescriptor section$/,
    ],
    ['no key', xml(noKeys), /^no signing key found in IDP metadata$/],
    [
      'a key to encrypt with',
      xml(idp.metadata.replace('use="signing"', 'use="encryption"')),
      /^no signing key found/,
    ],
    ['an invalid key', xml(idp.metadata.replace(idp.keys.certificate, 'AAAA')), /^no signing key found/],
    ['no page to go to', xml(noRedirect), /^zero redirect binding locations$/],
    [
      'a script to go to',
      xml(idp.metadata.replace('https://idp.example/sso', 'javascript:alert')),
      /^zero redirect binding/,
    ],
    ['a file', at('file:///etc/passwd'), /^unsupported value for "url": error querying url: /],
    ['no address', at('nonsense'), /^unsupported value for "url": error querying url: /],
    [
      'an address without a server',
      at('http://127.0.0.1:65535/'),
      /^unsupported value for "url": error querying url: no metadata could be fetched$/,
    ],
    [
      'a private address',
      at('http://10.0.0.1/'),
      /error querying url: it does not lead to a public address$/,
    ],
    ['a port of mail', at('http://127.0.0.1:25/'), /error querying url: port 25 is not one of the web$/],
    [
      'a large document',
      xml(`${idp.metadata}${' '.repeat(262_144 - idp.metadata.length + 1)}`),
      /^IDP metadata could not be read: it is larger than 262144 bytes$/,
    ],
    [
      'too many elements',
      xml(idp.metadata.replace('</md:EntityDescriptor>', `${'<a/>'.repeat(4000)}$&`)),
      /^IDP metadata could not be read: IDP metadata has more than 4000 elements$/,
    ],
    [
      'too many keys',
      xml(idp.metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, (key) => key.repeat(9))),
      /^more than 8 signing keys in IDP metadata$/,
    ],
    [
      'another key',
      pair(certificate, keyOf(other.keys.privateKey)),
      /signing_keypair: data signed with key not verified with certificate!$/,
    ],
    [
      'no certificate',
      pair('AAAA', keyOf(privateKey)),
      /signing_keypair: public certificate is not recognized/,
    ],
    ['no key', pair(certificate, 'AAAA'), /signing_keypair: private key is not recognized/],
    [
      'a key with a passphrase',
      pair(
        certificate,
        encode(
          privateKey.export({
            type: 'pkcs8',
            format: 'pem',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          }) as string,
        ),
      ),
      /signing_keypair: private key is encrypted with a passphrase/,
    ],
    [
      'a key that takes long to sign with',
      pair(certificate, keyOf(generateKeyPairSync('rsa', { modulusLength: 4104 }).privateKey)),
      /signing_keypair: private key is longer than 4096 bits$/,
    ],
    [
      'a key of another kind',
      pair(certificate, keyOf(elliptic)),
      /signing_keypair: private key is not recognized as RSA/,
    ],
  ])('with %s is refused', async (_, body, message) => {
    const refused = await admin.post(`${providers}?silo=acme`, { ...create, name: 'refused', ...body })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)])
    expect((await admin.get(`${providers}/refused?silo=acme`)).status).toBe(404)
  })

  test('fetches the document from its URL, and reveals nothing else about that host', async () => {
    const base = await served((request, response) => {
      if (request.url === '/metadata') return void response.end(idp.metadata)
      if (request.url === '/moved') return void response.writeHead(302, { location: '/metadata' }).end()
      if (request.url === '/secret') return void response.writeHead(403).end('internal secret')
      if (request.url === '/long') return void response.end('x'.repeat(262_145))
      if (request.url === '/broken') return void response.destroy()
      response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    })
    for (const path of ['metadata', 'moved']) {
      const made = await admin.post(`${providers}?silo=acme`, {
        ...create,
        name: path,
        ...at(`${base}/${path}`),
      })
      expect(made.status).toBe(201)
    }
    const closed = 'http://127.0.0.1:65535/'
    const said = new Set<string>()
    for (const url of [`${base}/secret`, `${base}/long`, `${base}/broken`, `${base}/elsewhere`, closed]) {
      const refused = await admin.post(`${providers}?silo=acme`, { ...create, name: 'refused', ...at(url) })
      said.add(`${refused.status} ${refused.body.message} ${refused.body.help}`)
    }
    expect([...said]).toEqual([
      '400 unsupported value for "url": error querying url: no metadata could be fetched ' +
        'The address must answer within 5 seconds with status 200 and up to 262144 bytes, ' +
        'after three redirects at most. Otherwise send the document itself.',
    ])
  })

  test('refuses internal addresses unless the operator allows them, without revealing what is there', async () => {
    const own = await testControlPlane({ environment: { saml: samlFor([]) } })
    onTestFinished(() => own.stop())
    const id = await own.addSilo('acme')
    await own.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
    const operator = await own.signIn('admin')
    let asked = 0
    const base = await served((_, response) => {
      asked += 1
      response.end(idp.metadata)
    })
    const { port } = new URL(base)
    const said = new Set<string>()
    for (const url of [
      base,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://name-of-nothing.invalid/',
    ]) {
      const refused = await operator.post(`${providers}?silo=acme`, { ...create, ...at(url) })
      said.add(`${refused.status} ${refused.body.message} ${refused.body.help}`)
    }
    expect([...said]).toEqual([
      '400 unsupported value for "url": error querying url: it does not lead to a public address ' +
        'Give an address on the internet, or send the document itself. ' +
        'The operator allows other networks with the setting egress.allowed_networks.',
    ])
    expect(asked).toBe(0)
  })

  test('requires an administrator of the silo or of the fleet', async () => {
    const id = await addSamlSilo('owned')
    const withRole = (name: string, role: 'admin' | 'collaborator' | 'viewer') =>
      bed.addUser(name, { siloId: id, roles: [{ at: 'silo', role }] })
    // Password sign-in is disabled there; these users existed before.
    await bed.db.updateTable('silo').set({ identity_mode: 'local_only' }).where('id', '=', id).execute()
    const [sa, sc, sv] = [
      await withRole('sa', 'admin'),
      await withRole('sc', 'collaborator'),
      await withRole('sv', 'viewer'),
    ]
    const nobody = await bed.addUser('nobody', { siloId: id })
    await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
    const fv = await bed.addUser('fv', { roles: [{ at: 'fleet', role: 'viewer' }] })
    const stranger = await bed.signIn('member')
    const post = async (who: Caller, name: string) =>
      (await who.post(`${providers}?silo=owned`, { ...create, name })).status
    const table = [
      [sa, 201, 200, 200],
      [admin, 201, 200, 200],
      [sc, 403, 200, 200],
      [sv, 403, 200, 200],
      [nobody, 403, 200, 404],
      [fv, 403, 200, 200],
      [stranger, 404, 404, 404],
    ] as const
    for (const [index, [who, created, listed, viewed]] of table.entries())
      expect([
        await post(who, `of-${index}`),
        (await who.get('/v1/system/identity-providers?silo=owned')).status,
        (await who.get(`${providers}/of-0?silo=owned`)).status,
      ]).toEqual([created, listed, viewed])
    const twice = await sa.post(`${providers}?silo=owned`, { ...create, name: 'of-0' })
    expect(twice.body.message).toBe('already exists: saml-identity-provider "of-0"')
  })

  test('is visible in a view and in the list of its silo', async () => {
    const viewed = (await admin.get(`${providers}/corporate?silo=acme`)).body
    const { idp_metadata_source: _, ...given } = create
    expect(viewed).toMatchObject({ ...given, public_cert: null })
    expect(viewed).not.toHaveProperty('metadata')
    expect((await admin.get(`${providers}/${viewed.id}`)).body).toEqual(viewed)
    const { items } = (await admin.get('/v1/system/identity-providers?silo=acme&limit=1')).body
    expect(items).toEqual([expect.objectContaining({ provider_type: 'saml' })])
    expect((await admin.get('/v1/system/identity-providers?silo=demo')).body.items).toEqual([])
  })

  test('is refused in a silo with local users, before any request is sent', async () => {
    for (const who of [admin, await bed.signIn('viewer')]) {
      const refused = await who.post(`${providers}?silo=demo`, create)
      expect([refused.status, refused.body.message]).toEqual([
        400,
        'cannot create identity providers in this kind of Silo',
      ])
    }
  })

  test('is refused with an explanation where no provider can redirect back', async () => {
    const preview = await testControlPlane()
    const id = await preview.addSilo('acme')
    await preview.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
    const refused = await (await preview.signIn('admin')).post(`${providers}?silo=acme`, create)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'SAML sign-in is not available in the preview',
    ])
    await preview.stop()
  })
})
