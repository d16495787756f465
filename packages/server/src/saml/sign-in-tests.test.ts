import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { identityProvider, type Said } from '../testing/identity-provider.ts'
import { samlFor } from '../testing/saml.ts'

const acs_url = 'http://localhost/login/acme/saml/corporate'
const idp = identityProvider({ audience: 'gantry', recipient: acs_url })
const encode = (text: string): string => Buffer.from(text).toString('base64')

let bed: TestBed
let admin: Caller
let acme: string
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: samlFor([]) } })
  admin = await bed.signIn('admin')
  acme = await bed.addSilo('acme')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', acme).execute()
  const made = await admin.post('/v1/system/identity-providers/saml?silo=acme', {
    name: 'corporate',
    description: '',
    idp_metadata_source: { type: 'base64_encoded_xml', data: encode(idp.metadata) },
    idp_entity_id: idp.entityId,
    sp_client_id: 'gantry',
    acs_url,
    slo_url: 'http://localhost/slo',
    technical_contact_email: 'ops@example.com',
    group_attribute_name: 'groups',
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
})
afterAll(() => bed.stop())

const tests = '/ext/v1/saml-identity-providers/corporate/sign-in-tests?silo=acme'
const view = (id: string, who: Caller = admin) => who.get(`/ext/v1/saml-sign-in-tests/${id}`)

/** A running test, with its relay state. */
async function begin(body: object = {}) {
  const { status, body: begun } = await admin.post(tests, body)
  if (status !== 201) throw new Error(JSON.stringify(begun))
  const url = new URL(begun.sign_in_url)
  return { id: begun.id as string, url, relay: url.searchParams.get('RelayState') ?? '' }
}

/** Posts the provider's response like a browser, without this server's cookies. */
async function answer(relay: string, said: Partial<Said> = {}, response = idp.post(said)) {
  const got = await bed.plane.fetch(
    new Request(acs_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://idp.example',
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams({ SAMLResponse: response, RelayState: relay }).toString(),
    }),
    { address: '192.0.2.1' },
  )
  const text = await got.text()
  return {
    status: got.status,
    location: got.headers.get('location'),
    cookie: got.headers.get('set-cookie'),
    message: text === '' ? undefined : JSON.parse(text).message,
  }
}

/** Everything that a sign-in would leave behind. */
const traces = async () => ({
  people: (await admin.get('/v1/system/users?silo=acme')).body.items,
  groups: (await admin.get('/ext/v1/groups?silo=acme')).body.items,
  sessions: await bed.db.selectFrom('console_session').select('id').orderBy('id').execute(),
})

describe('a test sign-in', () => {
  test('shows attributes, groups and roles, and creates no user, group or session', async () => {
    const operators = await bed.db
      .insertInto('silo_group')
      .values({
        id: crypto.randomUUID(),
        time_created: new Date(),
        time_modified: new Date(),
        silo_id: acme,
        external_id: 'operators',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const assignment = { identity_type: 'silo_group', identity_id: operators.id, role_name: 'collaborator' }
    await admin.call('PUT', '/v1/system/silos/acme/policy', { role_assignments: [assignment] })
    const { id, url, relay } = await begin({ redirect_uri: '/system/silos/acme?tested=1' })
    expect(
      inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString(),
    ).toContain(acs_url)
    expect(relay.length).toBeLessThanOrEqual(80)
    expect((await view(id)).body).toMatchObject({
      silo_id: acme,
      provider: { name: 'corporate' },
      result: null,
    })
    const before = await traces()
    const back = await answer(relay, {
      subject: 'carol@example.com',
      attributes: { groups: ['operators, newcomers'], mail: ['carol@example.com', 'c@example.com'] },
    })
    expect(back).toEqual({
      status: 303,
      location: '/system/silos/acme?tested=1',
      cookie: null,
      message: undefined,
    })
    expect(await traces()).toEqual(before)
    const { result } = (await view(id)).body
    expect(result).toMatchObject({
      outcome: 'accepted',
      subject: 'carol@example.com',
      user_exists: false,
      attributes: [
        { name: 'groups', values: ['operators, newcomers'] },
        { name: 'mail', values: ['carol@example.com', 'c@example.com'] },
      ],
      groups: [
        { display_name: 'newcomers', exists: false },
        { display_name: 'operators', exists: true },
      ],
      roles: {
        silo: { role_name: 'collaborator', sources: [{ group: { display_name: 'operators' } }] },
        fleet: { role_name: null },
      },
    })
    const audit = await bed.db
      .selectFrom('audit')
      .select('actor')
      .where('operation_id', '=', 'login_saml')
      .where('http_status_code', '=', 303)
      .execute()
    // The record names the operator, because no user signed in.
    expect(audit).toEqual([{ actor: expect.objectContaining({ kind: 'silo_user' }) }])
  })

  test('includes a known user’s own roles, and excludes groups that the provider omits', async () => {
    // Password sign-in is disabled here, so the sign-in after the creation fails.
    const added = bed.addUser('dora', { siloId: acme, roles: [{ at: 'silo', role: 'viewer' }] })
    await expect(added).rejects.toThrow('answered 401')
    const { id, relay } = await begin()
    await answer(relay, { subject: 'dora', attributes: {} })
    expect((await view(id)).body.result).toMatchObject({
      user_exists: true,
      groups: [],
      roles: { silo: { role_name: 'viewer', sources: [{ group: null }] } },
    })
  })

  test('accepts one response, whose assertion then opens no session', async () => {
    const { id, relay } = await begin()
    const said = { id: '_one-assertion' }
    const response = idp.post(said)
    expect((await answer(relay, {}, response)).status).toBe(303)
    expect((await answer(relay)).message).toBe('the test sign-in has ended or was never started')
    expect((await answer('', {}, response)).message).toBe('the assertion was used before')
    expect((await view(id)).body.result.outcome).toBe('accepted')
  })

  test('of two concurrent responses, one is accepted', async () => {
    const { relay } = await begin()
    const answers = await Promise.all([answer(relay), answer(relay)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 400])
  })

  test('shows why a response was refused', async () => {
    const { id, relay } = await begin()
    const refused = await answer(relay, { audience: 'somebody-else' })
    expect([refused.status, refused.cookie]).toEqual([400, null])
    expect((await view(id)).body.result).toEqual({ outcome: 'refused', message: refused.message })
    expect((await answer(relay)).status).toBe(400)
  })

  test.each([
    ['user', { subject: 'm'.repeat(513) }],
    ['group', { attributes: { groups: ['g'.repeat(513)] } }],
  ])('refuses a %s whose name is too long, like a sign-in', async (_, said) => {
    const { id, relay } = await begin()
    const refused = await answer(relay, said)
    expect([refused.status, refused.message]).toEqual([
      400,
      'a name in the assertion is longer than 512 characters',
    ])
    expect((await view(id)).body.result).toEqual({ outcome: 'refused', message: refused.message })
    expect((await answer('', said)).message).toBe(refused.message)
  })

  test('is visible only to the user who began it', async () => {
    const other = await bed.addUser('other-admin', { roles: [{ at: 'fleet', role: 'admin' }] })
    const { id } = await begin()
    const hidden = await view(id, other)
    expect([hidden.status, hidden.body.message]).toEqual([
      404,
      `not found: saml-sign-in-test with id "${id}"`,
    ])
  })

  test('redirects only to a path of this server', async () => {
    const refused = await admin.post(tests, { redirect_uri: 'https://evil.example/' })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      '"https://evil.example/" is not a relative URI',
    ])
  })

  test('accepts only its own secret', async () => {
    const { relay } = await begin()
    const forged = encode(JSON.stringify({ test: '0'.repeat(40) }))
    expect((await answer(forged)).message).toBe('the test sign-in has ended or was never started')
    expect((await answer(relay)).status).toBe(303)
  })

  test('is seen by a request whose time is a little before it', async () => {
    const { id, relay } = await begin()
    bed.pass(-1000)
    expect((await view(id)).body.result).toBeNull()
    bed.pass(1000)
    await answer(relay)
    bed.pass(-1000)
    expect((await view(id)).body.result).toMatchObject({ outcome: 'accepted' })
    bed.pass(1000)
  })

  test('ends when a newer one begins, and when it expires', async () => {
    const first = await begin()
    const second = await begin()
    expect((await view(first.id)).status).toBe(404)
    expect((await answer(first.relay)).status).toBe(400)
    bed.pass(601_000)
    expect((await answer(second.relay)).message).toBe('the test sign-in has ended or was never started')
    expect((await view(second.id)).status).toBe(404)
  })
})

describe('reading metadata before saving it', () => {
  const check = (data: string, silo = 'acme') =>
    admin.post(`/ext/v1/saml-metadata-checks?silo=${silo}`, {
      idp_metadata_source: { type: 'base64_encoded_xml', data },
    })

  test('shows the entity, its certificates and its endpoints', async () => {
    const { status, body } = await check(encode(idp.metadata))
    expect([status, body]).toEqual([
      200,
      {
        entity_id: idp.entityId,
        sign_in_url: 'https://idp.example/sso?tenant=1',
        certificates: [
          {
            subject: expect.stringContaining('CN=idp.example'),
            issuer: expect.stringContaining('CN=idp.example'),
            time_valid_from: expect.stringMatching(/Z$/),
            time_expires: expect.stringMatching(/Z$/),
            fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ],
        endpoints: [
          {
            service: 'single_sign_on',
            binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
            location: 'https://idp.example/post',
          },
          {
            service: 'single_sign_on',
            binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
            location: 'https://idp.example/sso?tenant=1',
          },
        ],
        wants_signed_requests: false,
      },
    ])
    expect((await admin.get('/v1/system/identity-providers?silo=acme')).body.items).toHaveLength(1)
  })

  test('shows the logout URL and whether requests must be signed', async () => {
    const more = idp.metadata
      .replace('<md:IDPSSODescriptor ', '<md:IDPSSODescriptor WantAuthnRequestsSigned="true" ')
      .replace(
        '<md:SingleSignOnService',
        '<md:SingleLogoutService Binding="b" Location="https://idp.example/out"/>$&',
      )
    const { body } = await check(encode(more))
    expect([body.wants_signed_requests, body.endpoints.at(-1)]).toEqual([
      true,
      { service: 'single_logout', binding: 'b', location: 'https://idp.example/out' },
    ])
  })

  test.each([
    ['invalid base64', '<', /^unsupported value for "data": error decoding base64/],
    ['text that is not XML', encode('hello'), /^IDP metadata could not be read: IDP metadata is not XML$/],
    ['other XML', encode('<feed xmlns="http://www.w3.org/2005/Atom"/>'), /^no md:IDPSSODescriptor section$/],
    ['a web page', encode('<html xmlns="http://www.w3.org/1999/xhtml"/>'), /it is a web page, not metadata$/],
    [
      'entities that grow',
      encode('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'),
      /declares a document type$/,
    ],
    [
      'a file of the server',
      encode('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
      /declares a document type$/,
    ],
    ['elements without end', encode('<a>'.repeat(5000)), /^IDP metadata could not be read/],
    [
      'a document that is too large',
      encode(`<a>${' '.repeat(263_000)}</a>`),
      /it is larger than 262144 bytes$/,
    ],
    [
      'no key',
      encode(idp.metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, '')),
      /^no signing key found in IDP metadata$/,
    ],
  ])('refuses %s', async (_, data, message) => {
    const { status, body } = await check(data)
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
    expect(body.help).toMatch(/\.$/)
  })

  test('refuses internal addresses', async () => {
    const { status, body } = await admin.post('/ext/v1/saml-metadata-checks?silo=acme', {
      idp_metadata_source: { type: 'url', url: 'http://127.0.0.1:1/metadata' },
    })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^unsupported value for "url"/)])
  })

  test('requires a silo with identity providers', async () => {
    expect((await check(encode(idp.metadata), 'demo')).body.message).toBe(
      'cannot create identity providers in this kind of Silo',
    )
  })
})
