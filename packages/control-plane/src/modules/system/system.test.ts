import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificateFor } from '../../testing/certificates.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

interface Issue {
  id: string
  cause: string | null
  kind: string
  severity: string
  since: string | null
  ended: string | null
  message: string
  next_step: string
  touches: { kind: string; name: string; silo_name: string | null; project_name: string | null }[]
}
const issues = async (query = ''): Promise<Issue[]> =>
  (await operator.get(`/ext/v1/system/issues${query}`)).body.items

test('a healthy rack has no issues, and users without fleet access learn nothing', async () => {
  expect(await issues()).toEqual([])
  for (const path of ['issues', 'overview', 'capacity'])
    expect((await member.get(`/ext/v1/system/${path}`)).status).toBe(403)
})

test('a fault is open until it ends, and past afterwards', async () => {
  const sled = await bed.db.selectFrom('sled').selectAll().executeTakeFirstOrThrow()
  const { id } = (await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled.id })).body
  expect(await issues('?state=open')).toMatchObject([
    {
      kind: 'fault',
      severity: 'critical',
      ended: null,
      message: `Sled ${sled.serial} is unreachable, and its instances failed.`,
      touches: [{ kind: 'sled', name: sled.serial }],
    },
  ])
  const { fleet } = (await operator.get('/ext/v1/system/overview')).body
  expect(fleet).toMatchObject({ sleds: 8, provisionable: 7, lost: 1, draining: 0 })
  expect((await operator.call('DELETE', `/ext/v1/faults/${id}`)).status).toBe(204)
  expect((await operator.call('DELETE', `/ext/v1/faults/${id}`)).status).toBe(404)
  expect(await issues('?state=open')).toEqual([])
  expect(await issues('?state=past')).toMatchObject([{ kind: 'fault', ended: expect.any(String) }])
  expect((await operator.get('/ext/v1/faults')).body.items).toEqual([])
  // A crash is over as soon as it happened.
  expect(await issues('?state=past&kind=nearly_full_pool')).toEqual([])
})

test('a failed instance is an issue until it runs or stops', async () => {
  const body = { name: 'giant', description: '', hostname: 'giant', ncpus: 64, memory: 1023 * 2 ** 30 }
  await member.post('/v1/instances?project=playground', body)
  const [issue] = await issues('?kind=failed_instance')
  expect(issue).toMatchObject({
    severity: 'critical',
    since: expect.any(String),
    touches: [{ kind: 'instance', name: 'giant', project_name: 'playground', silo_name: 'demo' }],
  })
  await member.post('/v1/instances/giant/stop?project=playground')
  expect(await issues('?kind=failed_instance')).toEqual([])
})

test('the operator is not told to ask the operator', async () => {
  const body = { name: 'unplaced', description: '', hostname: 'h', ncpus: 64, memory: 1023 * 2 ** 30 }
  await member.post('/v1/instances?project=playground', body)
  const [issue] = await issues('?kind=failed_instance')
  expect(`${issue?.message} > ${issue?.next_step}`).toMatch(
    /^Instance unplaced failed: .*Could not find any valid sled.* > Make more sleds provisionable, or ask/,
  )
  await member.post('/v1/instances/unplaced/stop?project=playground')
})

test('what a limit of a silo or project refuses is no issue', async () => {
  const refused = { code: 'InsufficientCapacity', message: 'no', next_step: 'Free some.', time: '' }
  const body = { name: 'limited', description: '', hostname: 'h', ncpus: 1, memory: 2 ** 30, start: false }
  const { id } = (await member.post('/v1/instances?project=playground', body)).body
  const failed = async (details: object | null) => {
    await bed.db
      .updateTable('instance')
      .set({
        run_state: 'failed',
        intended_state: 'running',
        auto_restart_policy: 'never',
        failure: JSON.stringify({ ...refused, details }),
      })
      .where('id', '=', id)
      .execute()
    return (await issues('?kind=failed_instance')).length
  }
  expect(await failed(null)).toBe(1)
  expect(await failed({ sleds: [] })).toBe(1)
  expect(await failed({ kind: 'cpus', wanted: 1, used: 1, quota: 1 })).toBe(0)
  await member.post('/v1/instances/limited/stop?project=playground')

  const failures = [
    ['shown', { ...refused, details: null }],
    ['shown', { ...refused, code: 'Internal', details: null }],
    ['hidden', { ...refused, details: { kind: 'storage', quota: 1 } }],
    ['hidden', { ...refused, details: { limit: 1000 } }],
    ['hidden', { ...refused, code: 'InvalidRequest', details: null }],
  ] as const
  const now = new Date()
  await bed.db
    .insertInto('job')
    .values(
      failures.map(([kind, failure]) => ({
        id: crypto.randomUUID(),
        kind,
        args: '{}',
        state: 'failed' as const,
        run_at: now,
        lease_until: null,
        failure: JSON.stringify(failure),
        time_created: now,
        time_done: now,
      })),
    )
    .execute()
  const shown = await issues('?kind=failed_job')
  expect(shown.map(({ touches: [job] }) => job?.name)).toEqual(['shown', 'shown'])
  await bed.db.deleteFrom('job').where('kind', 'in', ['shown', 'hidden']).execute()
})

test('a failed job is open for a day', async () => {
  const now = Date.now()
  const failure = { code: 'Internal', message: 'no luck', next_step: 'Wait.', details: null, time: '' }
  const job = (hours: number) => ({
    id: crypto.randomUUID(),
    kind: 'disk-content',
    args: '{}',
    state: 'failed' as const,
    run_at: new Date(now),
    lease_until: null,
    failure: JSON.stringify(failure),
    time_created: new Date(now - hours * 3_600_000),
    time_done: new Date(now - hours * 3_600_000),
  })
  await bed.db
    .insertInto('job')
    .values([job(1), job(30)])
    .execute()
  expect((await issues('?kind=failed_job')).map(({ ended }) => ended === null)).toEqual([true, false])
})

test('a pool and a quota are issues from nine tenths on', async () => {
  const pool = '/v1/system/ip-pools'
  await operator.post(pool, { name: 'small', description: '' })
  await operator.post(`${pool}/small/ranges/add`, { first: '10.7.0.1', last: '10.7.0.10' })
  await operator.post(`${pool}/small/silos`, { silo: 'demo', is_default: false })
  const take = (number: number) =>
    member.post('/v1/floating-ips?project=playground', {
      name: `f-${number}`,
      description: '',
      pool: 'small',
    })
  for (let number = 1; number <= 8; number++) await take(number)
  expect(await issues('?kind=nearly_full_pool')).toEqual([])
  await take(9)
  const ninth = (await member.get('/v1/floating-ips/f-9?project=playground')).body.time_created
  expect(await issues('?kind=nearly_full_pool')).toMatchObject([{ severity: 'warning', since: ninth }])
  await take(10)
  expect(await issues('?kind=nearly_full_pool')).toMatchObject([{ severity: 'critical', since: ninth }])

  const disk = { description: '', size: 2 ** 30, disk_source: { type: 'blank', block_size: 512 } }
  for (const name of ['a', 'b']) await member.post('/v1/disks?project=playground', { ...disk, name })
  const set = (storage: number) => operator.call('PUT', '/v1/system/silos/demo/quotas', { storage })
  const before = (await operator.get('/v1/system/silos/demo/quotas')).body.storage
  expect(await issues('?kind=quota_near_limit')).toEqual([])
  await set(2 * 2 ** 30)
  expect(await issues('?kind=quota_near_limit')).toMatchObject([
    { severity: 'critical', message: 'Silo demo uses 100% of its storage quota: 2 GiB of 2 GiB.' },
  ])
  await set(before)
})

test('a certificate is an issue thirty days before it expires', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const [name, days] of [
    ['late', 40],
    ['soon', 20],
  ] as const)
    await operator.post('/v1/certificates', {
      name,
      description: '',
      ...certificateFor('demo.sys.test', { notAfter: inDays(days) }),
    })
  expect(await issues('?kind=certificate_expiring')).toMatchObject([
    { severity: 'warning', touches: [{ kind: 'certificate', name: 'soon', silo_name: 'demo' }] },
  ])
  for (const name of ['late', 'soon']) await operator.call('DELETE', `/v1/certificates/${name}`)
  expect(await issues('?kind=certificate_expiring')).toMatchObject([
    { ended: expect.any(String), touches: [{ name: 'soon' }] },
  ])
})

test('the overview counts match the list', async () => {
  const { issues: counts, worst } = (await operator.get('/ext/v1/system/overview')).body
  const open = await issues('?state=open')
  const total = counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  expect(total).toBe(open.length)
  expect(worst).toEqual(open.slice(0, 10))
})

test('the demo world has an example of every issue', async () => {
  const world = await testControlPlane({ seed: 'demo' })
  try {
    const admin = await world.signIn('admin')
    const overview = (await admin.get('/ext/v1/system/overview')).body
    expect(overview).toMatchObject({
      fleet: { sleds: 10, not_provisionable: 1, lost: 1, uninitialized: 2 },
      instances: { running: 30, failed: 3, total: 40 },
      silos: 3,
    })
    // Real PEM certificates are not parsed in these tests.
    const counts = Object.fromEntries(
      overview.issues.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
    )
    expect(counts).toMatchObject({ fault: 1, failed_instance: 3, nearly_full_pool: 1, quota_near_limit: 1 })
    // The lost sled comes before the instances that failed with it, though they failed later.
    const [first, ...others] = overview.worst
    const failed = others.filter(({ kind }: Issue) => kind === 'failed_instance')
    expect(first.kind).toBe('fault')
    expect(failed).toHaveLength(3)
    for (const { since } of failed) expect(since > first.since).toBe(true)
    // They are grouped below it, and its outage also tells of those that were restarted.
    for (const { cause } of failed) expect(cause).toBe(first.id)
    const { items } = (await admin.get('/ext/v1/system/sleds')).body
    const lost = items.find(({ condition }: { condition: string }) => condition === 'lost')
    const outage = (await admin.get(`/ext/v1/system/sleds/${lost.sled.id}/outage`)).body
    expect(outage.outcomes).toEqual([
      { outcome: 'failed', count: 3 },
      { outcome: 'restarted', count: 8 },
    ])
    const loads = new Set(items.map((use: { threads: { used: number } }) => use.threads.used))
    expect(loads.size).toBeGreaterThan(3)
    // Instances of the demo world behave normally: they stop and release their resources.
    const lena = await world.signIn('lena', 'lagoon')
    const at = '/v1/instances/map-1?project=field-stations'
    expect((await lena.post('/v1/instances/map-1/stop?project=field-stations')).status).toBe(202)
    world.pass(5000)
    await eventually(
      async () => (await lena.get(at)).body.run_state,
      (state) => state === 'stopped',
      20_000,
    )
    const { provisioned } = (await lena.get('/v1/utilization')).body
    expect(provisioned.cpus).toBe(36)
  } finally {
    await world.stop()
  }
})
