import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fleetId } from '../../authz/actor.ts'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import type { Cx } from '../../context/cx.ts'
import { certificateFor } from '../../testing/certificates.ts'
import {
  type Answer,
  type Caller,
  eventually,
  said,
  type TestBed,
  testControlPlane,
} from '../../testing/control-plane.ts'
import { checkCertificate } from './certificate-check.ts'

const GiB = 1024 ** 3
let bed: TestBed
let operator: Caller
let member: Caller
let viewer: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
})
afterAll(() => bed.stop())

const silos = '/v1/system/silos'
const quotas = { cpus: 8, memory: 16 * GiB, storage: 32 * GiB }
const newSilo = (name: string, more: object = {}) => ({
  name,
  description: 'new',
  discoverable: true,
  identity_mode: 'saml_jit',
  quotas,
  tls_certificates: [],
  ...more,
})
const create = (name: string, more: object = {}, by = operator) => by.post(silos, newSilo(name, more))
const namesOf = ({ body }: Answer): string[] => body.items.map(({ name }: { name: string }) => name)
const idOf = async (name: string): Promise<string> => (await operator.get(`${silos}/${name}`)).body.id
const live = async (
  table: 'silo_user' | 'silo_group' | 'certificate' | 'image' | 'ssh_key',
  silo_id: string,
) =>
  (
    await bed.db
      .selectFrom(table as 'image')
      .select('id')
      .where(table === 'ssh_key' ? ('silo_user_id' as 'silo_id') : 'silo_id', '=', silo_id)
      .where('time_deleted', 'is', null)
      .execute()
  ).length

describe('creating a silo', () => {
  test('stores quotas, usage counters and the requested settings', async () => {
    const answer = await create('plain', {
      mapped_fleet_roles: { viewer: ['viewer', 'viewer'], admin: ['viewer', 'admin'] },
    })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        name: 'plain',
        description: 'new',
        discoverable: true,
        identity_mode: 'saml_jit',
        // Each once, strongest first.
        mapped_fleet_roles: { viewer: ['viewer'], admin: ['admin', 'viewer'] },
      },
    ])
    const { id } = answer.body
    expect((await operator.get(`${silos}/plain/quotas`)).body).toEqual({ silo_id: id, ...quotas })
    expect((await operator.get('/v1/system/utilization/silos/plain')).body).toEqual({
      silo_id: id,
      silo_name: 'plain',
      provisioned: { cpus: 0, memory: 0, storage: 0 },
      allocated: quotas,
    })
    expect((await operator.get(`${silos}/${id}`)).body).toEqual(answer.body)
    expect((await operator.get(`${silos}/plain/policy`)).body).toEqual({ role_assignments: [] })
    expect((await operator.get(`${silos}/plain/ip-pools`)).body).toEqual({ items: [], next_page: null })
  })

  test('creates an admin group and certificates', async () => {
    const tls = { name: 'tls', description: '', ...certificateFor('grouped.sys.test') }
    expect(
      said(
        await create('grouped', {
          identity_mode: 'local_only',
          admin_group_name: 'CN=Admins, OU=x',
          tls_certificates: [tls],
        }),
      ),
    ).toBe('201')
    const siloId = await idOf('grouped')
    const { role_assignments } = (await operator.get(`${silos}/grouped/policy`)).body
    expect(role_assignments).toEqual([
      { identity_type: 'silo_group', identity_id: expect.any(String), role_name: 'admin' },
    ])
    const boss = await bed.addUser('boss', { siloId })
    expect((await boss.get('/v1/groups')).body.items).toEqual([
      { id: role_assignments[0].identity_id, display_name: 'CN=Admins, OU=x', silo_id: siloId },
    ])
    expect(said(await boss.get('/v1/certificates'))).toBe('403 Forbidden')
    const membership = { silo_group_id: role_assignments[0].identity_id, silo_user_id: boss.id }
    await bed.db.insertInto('silo_group_membership').values(membership).execute()
    await raiseRolesEpoch(bed.db)
    expect(namesOf(await boss.get('/v1/certificates'))).toEqual(['tls'])
  })

  test('leaves nothing behind when refused', async () => {
    const before = await bed.db.selectFrom('silo_quotas').select('silo_id').execute()
    const tls = { name: 'tls', description: '', ...certificateFor('elsewhere.sys.test') }
    const twice = { name: 'tls', description: '', ...certificateFor('twice.sys.test') }
    const refused: [Answer, string][] = [
      [await create('plain'), '400 already exists: silo "plain"'],
      [
        await create('here', { tls_certificates: [tls] }),
        '400 unsupported value for "certificate": Certificate not valid for given hostnames: here.sys.test',
      ],
      [await create('twice', { tls_certificates: [twice, twice] }), '400 already exists: certificate "tls"'],
      [
        await create('nameless', { admin_group_name: ' ' }),
        expect.stringMatching(/^400 unable to parse JSON body: admin_group_name: group name requires/),
      ],
      [
        await create('unknown', { mapped_fleet_roles: { owner: ['admin'] } }),
        expect.stringMatching(/^400 unable to parse JSON body: /),
      ],
      [
        await create('negative', { quotas: { ...quotas, cpus: -1 } }),
        expect.stringMatching(/^400 unable to parse JSON body: quotas.cpus: /),
      ],
      [await create('mine', {}, member), '403 Forbidden'],
    ]
    for (const [answer, words] of refused) expect(said(answer)).toEqual(words)
    expect(await bed.db.selectFrom('silo_quotas').select('silo_id').execute()).toEqual(before)
    expect(said(await operator.get(`${silos}/twice`))).toBe('404 not found: silo with name "twice"')
  })

  test('with mapped roles requires full fleet access', async () => {
    const collaborator = await bed.addUser('builder', { roles: [{ at: 'fleet', role: 'collaborator' }] })
    expect(said(await create('by-builder', { mapped_fleet_roles: { admin: [] } }, collaborator))).toBe('201')
    const answer = await create('higher', { mapped_fleet_roles: { viewer: ['viewer'] } }, collaborator)
    expect(said(answer)).toBe('403 Forbidden')
    expect(answer.body.help).toMatch(/fleet admin/)
  })

  test('succeeds once for concurrent requests with the same name', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('wanted')))
    expect(answers.map(said).sort()).toEqual(['201', ...Array(4).fill('400 already exists: silo "wanted"')])
    await operator.call('DELETE', `${silos}/wanted`)
    expect(said(await create('wanted'))).toBe('201')
  })
})

describe('listing silos', () => {
  test('shows discoverable ones, and in utilization also those with a quota', async () => {
    await create('hidden', { discoverable: false })
    await create('empty', { discoverable: false, quotas: { cpus: 0, memory: 0, storage: 0 } })
    const found = namesOf(await operator.get(silos))
    expect(found).toContain('demo')
    expect(found).not.toContain('hidden')
    expect(namesOf(await operator.get('/ext/v1/system/silos'))).toEqual(
      expect.arrayContaining(['demo', 'hidden']),
    )
    expect((await operator.get(`${silos}/hidden`)).status).toBe(200)
    const used = (await operator.get('/v1/system/utilization/silos')).body.items
    const names: string[] = used.map(({ silo_name }: { silo_name: string }) => silo_name)
    expect(names).toContain('hidden')
    expect(names).not.toContain('empty')
    expect(names).toEqual(names.toSorted())
    const all = (await operator.get('/v1/system/silo-quotas')).body.items
    const ids: string[] = all.map(({ silo_id }: { silo_id: string }) => silo_id)
    expect(ids).toContain(await idOf('empty'))
    expect(ids).toEqual(ids.toSorted())
  })

  test('shows only their own silo to users without a fleet role', async () => {
    expect(said(await viewer.get(silos))).toBe('403 Forbidden')
    expect(said(await viewer.get(`${silos}/plain`))).toBe('404 not found: silo with name "plain"')
    expect((await viewer.get(`${silos}/demo`)).body.name).toBe('demo')
    expect((await viewer.get('/v1/system/utilization/silos/demo')).body.silo_name).toBe('demo')
    expect(namesOf(await viewer.get(`${silos}/demo/ip-pools`))).toEqual(['external'])
  })
})

/** Everything that any kind of sign-in leaves behind. */
async function addSignInRows(silo_id: string, silo_user_id: string): Promise<void> {
  const now = new Date()
  const provider = crypto.randomUUID()
  const { db } = bed
  await db
    .insertInto('saml_identity_provider')
    .values({
      id: provider,
      time_created: now,
      time_modified: now,
      name: 'idp',
      description: '',
      silo_id,
      metadata: '',
      idp_entity_id: '',
      sp_client_id: '',
      acs_url: '',
      slo_url: '',
      technical_contact_email: '',
      public_cert: null,
      group_attribute_name: null,
    })
    .execute()
  const ofProvider = { saml_identity_provider_id: provider }
  await db
    .insertInto('saml_signing_key')
    .values({ ...ofProvider, private_key: 'k' })
    .execute()
  await db
    .insertInto('saml_used_assertion')
    .values({ ...ofProvider, assertion_hash: 'a', time_expires: now })
    .execute()
  await db
    .insertInto('device_access_token')
    .values({
      id: crypto.randomUUID(),
      token_hash: silo_id,
      device_code_hash: silo_id,
      client_id: silo_id,
      silo_user_id,
      time_created: now,
      time_expires: now,
    })
    .execute()
  await db
    .insertInto('silo_auth_settings')
    .values({ silo_id, generation: 1, device_token_max_ttl_seconds: null })
    .execute()
}

async function signInRows(siloId: string, userId: string): Promise<number[]> {
  const counted = await sql<{ counts: number[] }>`
    WITH idp AS (SELECT * FROM saml_identity_provider WHERE silo_id = ${siloId})
    SELECT jsonb_build_array(
      (SELECT count(*) FROM idp WHERE time_deleted IS NULL),
      (SELECT count(*) FROM saml_signing_key k JOIN idp ON idp.id = k.saml_identity_provider_id),
      (SELECT count(*) FROM saml_used_assertion a JOIN idp ON idp.id = a.saml_identity_provider_id),
      (SELECT count(*) FROM device_access_token WHERE silo_user_id = ${userId}),
      (SELECT count(*) FROM console_session WHERE silo_user_id = ${userId}),
      (SELECT count(*) FROM silo_auth_settings WHERE silo_id = ${siloId})) AS counts`.execute(bed.db)
  return counted.rows[0]?.counts ?? []
}

describe('deleting a silo', () => {
  test('deletes everything in it, and is refused while it has a project', async () => {
    expect(said(await create('doomed', { identity_mode: 'local_only', admin_group_name: 'admins' }))).toBe(
      '201',
    )
    const siloId = await idOf('doomed')
    const tls = { name: 'tls', description: '', ...certificateFor('doomed.sys.test') }
    const boss = await bed.addUser('boss', {
      siloId,
      roles: [{ at: 'silo', role: 'admin' }],
      through: 'group',
    })
    await boss.post('/v1/me/ssh-keys', { name: 'mine', description: '', public_key: 'k' })
    expect(said(await boss.post('/v1/certificates', tls))).toBe('201')
    expect(said(await boss.post('/v1/projects', { name: 'last', description: '' }))).toBe('201')
    const image = await bed.db.selectFrom('image').selectAll().executeTakeFirstOrThrow()
    const content_id = crypto.randomUUID()
    await bed.db
      .insertInto('image')
      .values({
        ...image,
        digest: null,
        protection: null,
        hardware: null,
        tags: null,
        id: crypto.randomUUID(),
        silo_id: siloId,
        content_id,
      })
      .execute()

    await addSignInRows(siloId, boss.id)
    const refused = await operator.call('DELETE', `${silos}/doomed`)
    expect(said(refused)).toBe('400 silo to be deleted contains a project')
    expect(said(await viewer.call('DELETE', `${silos}/doomed`))).toBe(
      '404 not found: silo with name "doomed"',
    )
    expect(said(await viewer.call('DELETE', `${silos}/demo`))).toBe('403 Forbidden')
    const inside = '/v1/vpc-subnets/default?project=last&vpc=default'
    for (const path of [inside, '/v1/vpcs/default?project=last', '/v1/projects/last'])
      expect(said(await boss.call('DELETE', path))).toBe('204')
    // Its own administrator may do it too.
    expect(said(await boss.call('DELETE', `${silos}/doomed`))).toBe('204')

    expect(said(await boss.get('/v1/me'))).toBe('401 credentials missing or invalid')
    expect(said(await operator.get(`${silos}/doomed`))).toBe('404 not found: silo with name "doomed"')
    expect(said(await operator.call('DELETE', `${silos}/doomed`))).toBe(
      '404 not found: silo with name "doomed"',
    )
    for (const table of ['silo_user', 'silo_group', 'certificate', 'image'] as const)
      expect(await live(table, siloId)).toBe(0)
    expect(await live('ssh_key', boss.id)).toBe(0)
    const rows = async (table: 'silo_quotas' | 'ip_pool_silo') =>
      bed.db.selectFrom(table).selectAll().where('silo_id', '=', siloId).execute()
    expect([await rows('silo_quotas'), await rows('ip_pool_silo')]).toEqual([[], []])
    expect(await signInRows(siloId, boss.id)).toEqual([0, 0, 0, 0, 0, 0])
    const keys = bed.db
      .selectFrom('certificate_key')
      .innerJoin('certificate', 'certificate.id', 'certificate_id')
      .select('key')
      .where('silo_id', '=', siloId)
    expect(await keys.execute()).toEqual([])
    const job = await bed.db.selectFrom('job').select('args').where('kind', '=', 'content-removal').execute()
    expect(job.map(({ args }) => args.content_id)).toContain(content_id)
  })

  test('races with a new project, and one of the two wins', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `contested-${round}`
      await create(name, { identity_mode: 'local_only' })
      const siloId = await idOf(name)
      const boss = await bed.addUser(`boss-${round}`, { siloId, roles: [{ at: 'silo', role: 'admin' }] })
      const [made, gone] = await Promise.all([
        boss.post('/v1/projects', { name: 'late', description: '' }),
        operator.call('DELETE', `${silos}/${name}`),
      ])
      expect([201, 401, 404]).toContain(made.status)
      expect(gone.status).toBe(made.status === 201 ? 400 : 204)
      const projects = await bed.db
        .selectFrom('project')
        .innerJoin('silo', 'silo.id', 'project.silo_id')
        .select('project.id')
        .where('silo.id', '=', siloId)
        .where('silo.time_deleted', 'is not', null)
        .execute()
      expect(projects).toEqual([])
    }
  })

  test('respects If-Match', async () => {
    await create('seen')
    const stale = await operator.call('DELETE', `${silos}/seen`, undefined, { 'if-match': '"9"' })
    expect([stale.status, stale.body.current.name]).toEqual([412, 'seen'])
    const { headers } = await operator.get(`${silos}/seen`)
    const fresh = { 'if-match': headers.get('etag') ?? '' }
    expect((await operator.call('DELETE', `${silos}/seen`, undefined, fresh)).status).toBe(204)
  })
})

describe('quotas', () => {
  test('only named values change, also to less than current usage', async () => {
    const before = (await operator.get(`${silos}/demo/quotas`)).body
    const put = (body: object, by = operator) => by.call('PUT', `${silos}/demo/quotas`, body)
    const disk = {
      name: 'held',
      description: '',
      size: 2 * GiB,
      disk_source: { type: 'blank', block_size: 512 },
    }
    expect(said(await member.post('/v1/disks?project=playground', disk))).toBe('201')
    expect((await put({ storage: GiB })).body).toEqual({ ...before, storage: GiB })
    const over = await member.post('/v1/disks?project=playground', { ...disk, name: 'more' })
    expect(said(over)).toMatch(/^507 Insufficient capacity: Storage Limit Exceeded/)
    expect((await member.get('/v1/utilization')).body.capacity.storage).toBe(GiB)
    expect((await put({ storage: before.storage, cpus: null })).body).toEqual(before)
    expect((await put({})).body).toEqual(before)
    expect(said(await put({ cpus: 1 }, member))).toBe('403 Forbidden')
    expect((await put({ memory: 1.5 })).status).toBe(400)
    const stale = await operator.call('PUT', `${silos}/demo/quotas`, { cpus: 1 }, { 'if-match': '"1"' })
    expect([stale.status, stale.body.current]).toEqual([412, before])
  })

  test('concurrent changes of different values are all kept', async () => {
    await create('busy')
    const answers = await Promise.all(
      [{ cpus: 1 }, { memory: GiB }, { storage: GiB }].map((body) =>
        operator.call('PUT', `${silos}/busy/quotas`, body),
      ),
    )
    expect(answers.map(said)).toEqual(['200', '200', '200'])
    expect((await operator.get(`${silos}/busy/quotas`)).body).toMatchObject({
      cpus: 1,
      memory: GiB,
      storage: GiB,
    })
  })
})

describe('policies', () => {
  const grant = (identity_id: string, role_name: string, identity_type = 'silo_user') => ({
    identity_type,
    identity_id,
    role_name,
  })
  const [a, b] = ['0a000000-0000-4000-8000-000000000000', '0b000000-0000-4000-8000-000000000000']
  const wanted = [grant(b, 'viewer'), grant(b, 'admin', 'silo_group'), grant(a, 'viewer'), grant(a, 'viewer')]
  const sorted = [grant(b, 'admin', 'silo_group'), grant(a, 'viewer'), grant(b, 'viewer')]

  test.each([
    ['of the fleet', '/v1/system/policy'],
    ['of the own silo', '/v1/policy'],
    ['of a silo', `${silos}/policed/policy`],
  ])('%s are replaced as a whole, returned in order, without duplicates', async (_, path) => {
    await create('policed')
    const { body: before, headers } = await operator.get(path)
    const put = (role_assignments: unknown[], more: Record<string, string> = {}) =>
      operator.call('PUT', path, { role_assignments }, more)
    // The operator's own roles remain, to restore the rest.
    const kept = before.role_assignments
    const byOrder = (list: ReturnType<typeof grant>[]) =>
      list.toSorted((one, other) =>
        `${one.role_name} ${one.identity_id}` < `${other.role_name} ${other.identity_id}` ? -1 : 1,
      )
    const first = await put([...kept, ...wanted], { 'if-match': headers.get('etag') ?? '' })
    expect([first.status, first.body.role_assignments]).toEqual([200, byOrder([...kept, ...sorted])])
    expect((await operator.get(path)).body).toEqual(first.body)
    const stale = await put(kept, { 'if-match': headers.get('etag') ?? '' })
    expect([stale.status, stale.body.current]).toEqual([412, first.body])
    expect((await operator.get(path)).headers.get('etag')).toBe(first.headers.get('etag'))

    const many = Array.from({ length: 65 - kept.length }, () => grant(crypto.randomUUID(), 'viewer'))
    expect(said(await put([...kept, ...many]))).toMatch(
      /^400 unable to parse JSON body: role_assignments: invalid length 65, expected a list of at most 64 role/,
    )
    expect((await put([...kept, ...many.slice(1)])).status).toBe(200)
    expect((await put([grant(a, 'owner')])).status).toBe(400)
    expect(said(await member.call('PUT', path, { role_assignments: [] }))).toMatch(/^40[34] /)
    expect((await put(kept)).body).toEqual({ role_assignments: byOrder(kept) })
  })

  test('two editors of the same state do not overwrite each other, and without an ETag the last one wins', async () => {
    const path = `${silos}/policed/policy`
    const { headers } = await operator.get(path)
    const both = await Promise.all(
      [a, b].map((id) =>
        operator.call(
          'PUT',
          path,
          { role_assignments: [grant(id, 'admin')] },
          { 'if-match': headers.get('etag') ?? '' },
        ),
      ),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]))
    const blind = await Promise.all(
      [a, b, a, b].map((id) => operator.call('PUT', path, { role_assignments: [grant(id, 'viewer')] })),
    )
    expect(blind.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await operator.get(path)).body.role_assignments).toHaveLength(1)
  })

  test("a project's policy has its own ETag, separate from the project's", async () => {
    await member.post('/v1/projects', { name: 'shared', description: '' })
    const path = '/v1/projects/shared/policy'
    const [policy, project] = [await member.get(path), await member.get('/v1/projects/shared')]
    const put = (etag: string) =>
      member.call('PUT', path, { role_assignments: [grant(a, 'viewer')] }, { 'if-match': etag })
    expect((await put(policy.headers.get('etag') ?? '')).status).toBe(200)
    expect((await put(policy.headers.get('etag') ?? '')).status).toBe(412)
    expect((await member.get('/v1/projects/shared')).headers.get('etag')).toBe(project.headers.get('etag'))
  })

  test('the last role can be removed, and changes take effect at once', async () => {
    const siloId = await bed.addSilo('last-admin')
    const boss = await bed.addUser('boss', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
    expect((await boss.call('PUT', '/v1/policy', { role_assignments: [] })).body).toEqual({
      role_assignments: [],
    })
    expect(said(await boss.call('PUT', '/v1/policy', { role_assignments: [] }))).toBe('403 Forbidden')
    // The fleet admin can still grant it again.
    const back = { role_assignments: [grant(boss.id, 'admin')] }
    expect((await operator.call('PUT', `${silos}/last-admin/policy`, back)).status).toBe(200)
    expect((await boss.get('/v1/me')).body.silo_admin).toBe(true)
  })

  test('a new operator receives fleet events from then on', async () => {
    const person = await bed.addUser('rising')
    const stream = await bed.follow(person)
    const { role_assignments } = (await operator.get('/v1/system/policy')).body
    await operator.call('PUT', '/v1/system/policy', {
      role_assignments: [...role_assignments, grant(person.id, 'viewer')],
    })
    await eventually(
      async () => stream.events,
      (events) => events.some(({ data }) => data.kind === 'policy' && data.id === fleetId),
    )
    stream.close()
    expect((await person.get('/v1/me')).body.fleet_viewer).toBe(true)
    await operator.call('PUT', '/v1/system/policy', { role_assignments })
    expect((await person.get('/v1/me')).body.fleet_viewer).toBe(false)
  })
})

describe('certificates of a silo', () => {
  const tls = (name: string, host = 'demo.sys.test', more: object = {}) => ({
    name,
    description: '',
    ...certificateFor(host, more),
  })
  const add = (body: object, by = operator) => by.post('/v1/certificates', body)

  test('are stored without exposing their keys, in views or history', async () => {
    const { key, ...shown } = tls('first')
    const made = await add({ ...shown, key })
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...shown,
        id: made.body.id,
        time_created: made.body.time_created,
        time_modified: made.body.time_modified,
      },
    ])
    expect((await operator.get('/v1/certificates/first')).body).toEqual(made.body)
    expect(namesOf(await operator.get('/v1/certificates'))).toEqual(['first'])
    const history = await bed.db
      .selectFrom('change')
      .select('after')
      .where('object_id', '=', made.body.id)
      .execute()
    expect(history).toHaveLength(1)
    expect(JSON.stringify(history[0]?.after)).not.toContain('"key":')
    expect(said(await add(tls('first')))).toBe('400 already exists: certificate "first"')
    expect(said(await operator.call('DELETE', '/v1/certificates/first'))).toBe('204')
    expect(said(await operator.call('DELETE', '/v1/certificates/first'))).toBe(
      '404 not found: certificate with name "first"',
    )
    const keys = bed.db.selectFrom('certificate_key').selectAll().where('certificate_id', '=', made.body.id)
    expect(await keys.execute()).toEqual([])
    expect(said(await add(tls('first')))).toBe('201')
  })

  test.each([
    ['nonsense', { cert: 'x' }, 'certificate', 'Failed to parse certificate'],
    ['an empty chain', { cert: '[]' }, 'certificate', 'Certificate exists, but is empty'],
    [
      'a host of another silo',
      tls('x', 'other.sys.test'),
      'certificate',
      'Certificate not valid for given hostnames: demo.sys.test',
    ],
    [
      'one that expired',
      tls('x', 'demo.sys.test', { notAfter: '2020-01-01' }),
      'certificate',
      'Certificate exists, but is expired',
    ],
    [
      'one for clients',
      tls('x', 'demo.sys.test', { purposes: ['1.3.6.1.5.5.7.3.2'] }),
      'certificate',
      'Unsupported certificate purpose',
    ],
    ['an invalid key', { key: 'x' }, 'private-key', 'Failed to parse private key'],
    ['the key of another', { key: 'key-2' }, 'certificate', 'Certificate and private key do not match'],
  ])('are refused: %s', async (_, more, label, reason) => {
    const answer = await add({ ...tls('refused'), ...more })
    expect(said(answer)).toBe(`400 unsupported value for "${label}": ${reason}`)
    // Validated before authorisation.
    expect((await add({ ...tls('refused'), ...more }, viewer)).status).toBe(400)
    expect((await operator.get('/v1/certificates/refused')).status).toBe(404)
  })

  test('require an administrator', async () => {
    expect(said(await add(tls('mine'), member))).toBe('403 Forbidden')
    expect(said(await member.get('/v1/certificates'))).toBe('403 Forbidden')
    expect(said(await member.get('/v1/certificates/first'))).toBe(
      '404 not found: certificate with name "first"',
    )
    const stream = await bed.follow(member)
    await eventually(
      async () => stream.events.length,
      (count) => count > 0,
    )
    await add(tls('quiet'))
    await member.post('/v1/projects', { name: 'loud', description: '' })
    await eventually(
      async () => stream.received(),
      (received) => received.includes('create project loud'),
    )
    stream.close()
    expect(stream.received().join()).not.toContain('quiet')
  })

  test('are refused where nothing can parse them', () => {
    const cx = { services: { certificates: undefined } } as Cx
    expect(() =>
      checkCertificate(cx, 'demo', { name: 'x', description: '', ...certificateFor('x') }),
    ).toThrow('certificates cannot be checked here')
  })
})

describe('users of a silo', () => {
  test('are visible to callers who may read it', async () => {
    const siloId = await bed.addSilo('peopled')
    const person = await bed.addUser('person', { siloId })
    const shown = { id: person.id, display_name: 'person', silo_id: siloId }
    expect((await operator.get('/v1/system/users?silo=peopled')).body.items).toEqual([shown])
    expect((await operator.get(`/v1/system/users/${person.id}?silo=${siloId}`)).body).toEqual(shown)
    expect(said(await operator.get(`/v1/system/users/${person.id}?silo=demo`))).toBe(
      `404 not found: silo-user with id "${person.id}"`,
    )
    for (const path of ['/v1/system/users?silo=peopled', `/v1/system/users/${person.id}?silo=peopled`])
      expect(said(await member.get(path))).toBe('404 not found: silo with name "peopled"')
    expect((await person.get('/v1/system/users?silo=peopled')).body.items).toEqual([shown])
  })

  test('built-in ones are the same everywhere', async () => {
    expect(namesOf(await operator.get('/v1/system/users-builtin'))).toEqual([
      'db-init',
      'external-authn',
      'internal-api',
      'internal-read',
      'saga-recovery',
      'service-balancer',
    ])
    const { body } = await operator.get('/v1/system/users-builtin/db-init')
    expect((await operator.get(`/v1/system/users-builtin/${body.id}`)).body).toEqual(body)
    expect(said(await operator.get('/v1/system/users-builtin/nobody'))).toBe(
      '404 not found: user-builtin with name "nobody"',
    )
    expect(said(await member.get('/v1/system/users-builtin/db-init'))).toBe(
      '404 not found: user-builtin with name "db-init"',
    )
  })
})
