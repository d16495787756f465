import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { identityProvider } from '../testing/identity-provider.ts'
import { samlFor } from '../testing/saml.ts'
import { selfSigned } from '../testing/self-signed.ts'

const recipient = 'http://localhost/login/acme/saml/corporate'
const idp = identityProvider({ audience: 'gantry', recipient })
const providers = '/v1/system/identity-providers/saml'
const own = '/ext/v1/saml-identity-providers'
const source = (metadata: string) => ({
  type: 'base64_encoded_xml',
  data: Buffer.from(metadata).toString('base64'),
})
const create = {
  name: 'corporate',
  description: 'Corporate login',
  idp_metadata_source: source(idp.metadata),
  idp_entity_id: idp.entityId,
  sp_client_id: 'gantry',
  // As an unfinished form was filled in.
  acs_url: 'https://acme.sys.placeholder/login/acme/saml/corporate',
  slo_url: '',
  technical_contact_email: '',
  group_attribute_name: 'groups',
}

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: samlFor([]) } })
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

/** A silo with the provider `corporate`, in which an administrator may correct it. */
async function siloNamed(name: string) {
  const id = await bed.addSilo(name)
  const boss = await bed.addUser(`boss-${name}`, { siloId: id, roles: [{ at: 'silo', role: 'admin' }] })
  const viewer = await bed.addUser(`viewer-${name}`, { siloId: id, roles: [{ at: 'silo', role: 'viewer' }] })
  // Test users sign in with passwords, which the silo then no longer takes.
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
  const made = await admin.post(`${providers}?silo=${name}`, create)
  expect(made.status).toBe(201)
  const at = `${own}/corporate?silo=${name}`
  return { id, boss, viewer, at, provider: made.body.id as string }
}

async function signIn(silo: string, by = idp, said: Parameters<typeof idp.post>[0] = {}) {
  const at = `http://localhost/login/${silo}/saml/corporate`
  const SAMLResponse = by.post({ recipient: at, destination: at, ...said })
  const response = await bed.plane.fetch(
    new Request(at, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
      body: new URLSearchParams({ SAMLResponse }).toString(),
    }),
    { address: '192.0.2.1' },
  )
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const me = async () => (await bed.anonymous.call('GET', '/v1/me', undefined, { cookie })).status
  return { status: response.status, me }
}

test('a silo admin corrects an ACS URL, and its users can sign in', async () => {
  const { boss, at } = await siloNamed('acme')
  expect((await signIn('acme')).status).toBe(400)
  for (const [acs_url, why] of [
    ['https://acme.sys.placeholder/acs', 'its host is a placeholder'],
    ['acme', 'it must be an address that begins with https://'],
  ])
    expect(await boss.call('PUT', at, { acs_url })).toMatchObject({
      status: 400,
      body: { error_code: 'InvalidValue', message: `unsupported value for "acs_url": ${why}` },
    })
  const before = (await boss.get(`${providers}/corporate?silo=acme`)).body
  // What is not named stays, also an address that would be refused today.
  const described = await boss.call('PUT', at, { description: 'The login of all' })
  expect(described).toMatchObject({ status: 200, body: { acs_url: create.acs_url } })
  const acs_url = 'http://localhost/login/acme/saml/corporate'
  const corrected = await boss.call('PUT', at, { acs_url, group_attribute_name: '' })
  expect(corrected.body).toEqual({
    ...before,
    description: 'The login of all',
    acs_url,
    group_attribute_name: null,
    time_modified: expect.any(String),
  })
  expect((await boss.get(`${providers}/corporate?silo=acme`)).body).toEqual(corrected.body)
  expect((await signIn('acme')).status).toBe(303)
  const stale = await boss.call('PUT', at, { slo_url: 'x' }, { 'if-match': '"1"' })
  expect(stale.status).toBe(412)
})

test('of two corrections that began with the same provider the first is kept, and the other is told', async () => {
  const { boss, at } = await siloNamed('twice')
  const seen = (await boss.call('GET', `${providers}/corporate?silo=twice`)).headers.get('etag') ?? ''
  expect(seen).not.toBe('')
  const answers = await Promise.all(
    ['one', 'two'].map((sp_client_id) => boss.call('PUT', at, { sp_client_id }, { 'if-match': seen })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]))
  const kept = answers.find(({ status }) => status === 200)
  expect((await boss.get(`${providers}/corporate?silo=twice`)).body).toEqual(kept?.body)
})

test('another metadata takes over, and an entity ID must be that of the metadata', async () => {
  const { boss, at, provider } = await siloNamed('keys')
  await boss.call('PUT', at, { acs_url: 'http://localhost/login/keys/saml/corporate' })
  const next = identityProvider({ audience: 'gantry', recipient })
  expect((await signIn('keys', next)).status).toBe(400)
  expect((await boss.call('PUT', at, { idp_metadata_source: source(next.metadata) })).status).toBe(200)
  expect((await signIn('keys', next)).status).toBe(303)
  expect((await signIn('keys', idp)).status).toBe(400)
  expect((await boss.call('PUT', at, { idp_entity_id: 'https://other.example' })).body.message).toBe(
    `unsupported value for "idp_entity_id": the metadata describes the entity ${idp.entityId}`,
  )
  const broken = { idp_metadata_source: source('<!doctype html><html></html>') }
  expect((await boss.call('PUT', at, broken)).body.message).toMatch(/web page/)

  const { privateKey, certificate } = selfSigned('gantry.example')
  const private_key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const signing_keypair = { public_cert: certificate, private_key }
  for (let again = 0; again < 2; again++)
    expect((await boss.call('PUT', at, { signing_keypair })).body.public_cert).toBe(certificate)
  const wrong = { signing_keypair: { public_cert: idp.keys.certificate, private_key } }
  expect((await boss.call('PUT', at, wrong)).status).toBe(400)
  const kept = await bed.db.selectFrom('saml_signing_key').selectAll().execute()
  expect(kept.filter((row) => row.saml_identity_provider_id === provider)).toHaveLength(1)
  const recorded = JSON.stringify([
    await bed.db.selectFrom('change').selectAll().execute(),
    await bed.db.selectFrom('audit').selectAll().execute(),
  ])
  expect(recorded).not.toContain(private_key.slice(0, 100))
})

test('concurrent corrections never leave the metadata of one entity with the ID of another', async () => {
  const { boss, at, provider } = await siloNamed('pairs')
  const other = 'https://other.example/saml'
  const next = { source: source(idp.metadata.replace(idp.entityId, other)), entityId: other }
  const first = { source: source(idp.metadata), entityId: idp.entityId }
  for (let round = 0; round < 5; round++) {
    const both = { idp_metadata_source: next.source, idp_entity_id: next.entityId }
    const back = { idp_metadata_source: first.source }
    await Promise.all([boss.call('PUT', at, both), boss.call('PUT', at, back)])
    const row = await bed.db
      .selectFrom('saml_identity_provider')
      .select(['metadata', 'idp_entity_id'])
      .where('id', '=', provider)
      .executeTakeFirstOrThrow()
    expect(row.metadata).toContain(`entityID="${row.idp_entity_id}"`)
    const restored = { idp_metadata_source: first.source, idp_entity_id: first.entityId }
    expect((await boss.call('PUT', at, restored)).status).toBe(200)
  }
})

test('a deleted provider takes the sessions and tokens of its users along, and its name is free', async () => {
  const { boss, at, provider } = await siloNamed('gone')
  await boss.call('PUT', at, { acs_url: 'http://localhost/login/gone/saml/corporate' })
  const alice = await signIn('gone')
  const bob = await signIn('gone', idp, { subject: 'bob', attributes: { groups: ['ops'] } })
  expect([await alice.me(), await bob.me()]).toEqual([200, 200])
  const stranger = await bed.signIn('member')
  const dependents = `${own}/corporate/dependents?silo=gone`
  // Two test users of the silo have a session each; the caller's own stays.
  expect((await boss.get(dependents)).body).toEqual({
    users: 4,
    groups: 1,
    sessions: 3,
    access_tokens: 0,
    other_providers: 0,
  })
  expect((await boss.call('DELETE', at)).status).toBe(204)
  expect([await alice.me(), await bob.me()]).toEqual([401, 401])
  expect([(await boss.get('/v1/me')).status, (await stranger.get('/v1/me')).status]).toEqual([200, 200])
  expect((await boss.get(`${providers}/corporate?silo=gone`)).status).toBe(404)
  expect((await signIn('gone')).status).toBe(404)
  expect((await boss.call('DELETE', at)).status).toBe(404)
  for (const table of ['saml_signing_key', 'saml_used_assertion', 'saml_sign_in_test'] as const) {
    const rows = await bed.db.selectFrom(table).select('saml_identity_provider_id').execute()
    expect(rows.filter((row) => row.saml_identity_provider_id === provider)).toEqual([])
  }
  expect((await admin.post(`${providers}?silo=gone`, create)).status).toBe(201)
})

test('concurrent sign-ins either come before the deletion and end with it, or are refused', async () => {
  const { boss, at } = await siloNamed('race')
  await boss.call('PUT', at, { acs_url: 'http://localhost/login/race/saml/corporate' })
  const subjects = Array.from({ length: 12 }, (_, index) => `user-${index}`)
  const [deleted, ...people] = await Promise.all([
    boss.call('DELETE', at),
    ...subjects.map((subject) => signIn('race', idp, { subject })),
  ])
  expect(deleted.status).toBe(204)
  for (const person of people) {
    expect([303, 400, 404]).toContain(person.status)
    expect(await person.me()).toBe(401)
  }
})

test('who may not create a provider may not change it, and fleet roles at stake need a fleet admin', async () => {
  const { id, boss, viewer, at } = await siloNamed('stake')
  const member = await bed.signIn('member')
  const calls = (by: Caller) =>
    Promise.all([
      by.call('PUT', at, { description: 'x' }),
      by.call('DELETE', at),
      by.get(`${own}/corporate/dependents?silo=stake`),
    ]).then((answers) => answers.map(({ status }) => status))
  expect(await calls(viewer)).toEqual([403, 403, 403])
  expect(await calls(member)).toEqual([404, 404, 404])
  expect(await calls(bed.anonymous)).toEqual([401, 401, 401])
  await bed.db
    .updateTable('silo')
    .set({ mapped_fleet_roles: JSON.stringify({ admin: ['viewer'] }) })
    .where('id', '=', id)
    .execute()
  expect(await calls(boss)).toEqual([403, 403, 403])
  expect((await admin.call('PUT', at, { description: 'x' })).status).toBe(200)
  expect((await admin.call('DELETE', at)).status).toBe(204)
})

test("the standard address is the silo's in the operator's zone, or the one in use", async () => {
  const path = '/ext/v1/saml-acs-origin?silo=demo'
  const plain = await testControlPlane({ environment: { dnsZone: 'localhost' } })
  expect((await (await plain.signIn('admin')).get(path)).body).toEqual({ origin: 'http://localhost' })
  await plain.stop()
  const zoned = await testControlPlane({ environment: { dnsZone: 'gantry.example', secure: true } })
  expect((await (await zoned.signIn('admin')).get(path)).body).toEqual({
    origin: 'https://demo.sys.gantry.example',
  })
  await zoned.stop()
})
