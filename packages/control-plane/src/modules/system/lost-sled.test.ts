import type { SledOutage, SledUse } from '@gantry/api/system/hardware'
import type { SystemIssue, SystemOverview } from '@gantry/api/system/system'
import { issueLimits } from '@gantry/api/system/system.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemCx } from '../../context/cx.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { testServices } from '../../testing/services.ts'
import { endAcknowledgements } from './acknowledgements.ts'

const GiB = 1024 ** 3
let bed: TestBed
let operator: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (name: string, rest = '') => `/v1/instances/${name}${rest}?project=playground`
const stateOf = async (name: string): Promise<string> => (await member.get(at(name))).body.run_state
const becomes = (name: string, state: string) =>
  eventually(
    () => stateOf(name),
    (is) => is === state,
  )
async function create(name: string, auto_restart_policy: 'never' | null = 'never'): Promise<void> {
  const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, auto_restart_policy }
  expect((await member.post('/v1/instances?project=playground', body)).status).toBe(201)
}
async function run(name: string): Promise<void> {
  await eventually(
    async () => {
      bed.pass(3100)
      return stateOf(name)
    },
    (state) => state === 'running',
  )
}
const sledOf = async (name: string): Promise<string> =>
  (
    await bed.db
      .selectFrom('vmm')
      .innerJoin('instance', 'instance.id', 'vmm.instance_id')
      .select('vmm.sled_id')
      .where('instance.name', '=', name)
      .where('vmm.time_gone', 'is', null)
      .executeTakeFirstOrThrow()
  ).sled_id
/** A sled on which nothing runs. */
const freeSled = () =>
  bed.db
    .selectFrom('sled')
    .select('id')
    .where('id', 'not in', bed.db.selectFrom('vmm').select('sled_id').where('time_gone', 'is', null))
    .executeTakeFirstOrThrow()
const lose = async (sled_id: string): Promise<string> =>
  (await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id })).body.id
const end = (fault: string) => operator.call('DELETE', `/ext/v1/faults/${fault}`)
const openIssues = async (query = ''): Promise<SystemIssue[]> =>
  (await operator.get(`/ext/v1/system/issues?state=open${query}`)).body.items
const outage = async (sled: string): Promise<SledOutage> =>
  (await operator.get(`/ext/v1/system/sleds/${sled}/outage`)).body
const useOf = async (sled: string): Promise<SledUse | undefined> =>
  (await operator.get('/ext/v1/system/sleds')).body.items.find((use: SledUse) => use.sled.id === sled)
const overview = async (): Promise<SystemOverview> => (await operator.get('/ext/v1/system/overview')).body
const outcomesOf = ({ instances }: SledOutage) =>
  Object.fromEntries(instances.map(({ name, outcome }) => [name, outcome]))
const acknowledgementOf = (issue: string) => `/ext/v1/system/issues/${issue}/acknowledgement`

test('a lost sled is lost everywhere, and tells what it took down and what became of it', async () => {
  await create('one')
  await run('one')
  const sled = await sledOf('one')
  // All on one sled, whatever placement would choose.
  const others = await bed.db.selectFrom('sled').select('id').where('id', '<>', sled).execute()
  const policy = (id: string, state: string) =>
    operator.call('PUT', `/v1/system/hardware/sleds/${id}/provision-policy`, { state })
  for (const { id } of others) await policy(id, 'non_provisionable')
  for (const name of ['two', 'three']) await create(name)
  await create('restarted', null)
  for (const name of ['two', 'three', 'restarted']) await run(name)
  for (const { id } of others) await policy(id, 'provisionable')
  expect(await outage(sled)).toEqual({ since: null, faults: [], outcomes: [], instances: [] })
  expect(await useOf(sled)).toMatchObject({ condition: 'active', lost_since: null })

  const fault = await lose(sled)
  for (const name of ['one', 'two', 'three']) await becomes(name, 'failed')
  const used = await useOf(sled)
  expect(used).toMatchObject({ condition: 'lost', lost_since: expect.any(String) })
  expect((await overview()).fleet).toMatchObject({
    sleds: 8,
    lost: 1,
    provisionable: 7,
    not_provisionable: 0,
  })
  const first = await outage(sled)
  expect(first).toMatchObject({ since: used?.lost_since, faults: [fault] })
  expect(outcomesOf(first)).toMatchObject({ one: 'failed', two: 'failed', three: 'failed' })
  expect(first.instances.find(({ name }) => name === 'one')).toMatchObject({
    state: 'failed',
    reason: 'Its sled is unreachable.',
    sled: null,
    time_back: null,
    project_name: 'playground',
    silo_name: 'demo',
  })

  // Its user starts one elsewhere, and the platform another one.
  expect((await member.post(at('two', '/start'))).status).toBe(202)
  await run('two')
  await eventually(
    async () => {
      bed.pass(61_000)
      return stateOf('restarted')
    },
    (state) => state === 'running',
  )
  const second = await outage(sled)
  expect(outcomesOf(second)).toEqual({
    one: 'failed',
    two: 'started',
    three: 'failed',
    restarted: 'restarted',
  })
  expect(second.outcomes).toEqual([
    { outcome: 'failed', count: 2 },
    { outcome: 'restarted', count: 1 },
    { outcome: 'started', count: 1 },
  ])
  const two = second.instances.find(({ name }) => name === 'two')
  expect(two?.sled?.id).toBe(await sledOf('two'))
  expect(Date.parse(two?.time_back ?? '')).toBeGreaterThanOrEqual(Date.parse(two?.time_down ?? ''))

  // Issues are listed by cause: the sled, then the instances that failed with it.
  const open = await openIssues()
  const cause = `fault:${fault}`
  expect(open.map(({ id, effects, cause: by }) => [id === cause, effects, by])).toEqual([
    [true, 2, null],
    [false, 0, cause],
    [false, 0, cause],
  ])
  expect(open[0]?.fault).toEqual({ id: fault, kind: 'sled_lost' })
  expect((await openIssues('&kind=failed_instance')).map((issue) => issue.cause)).toEqual([cause, cause])
  expect((await overview()).worst.map(({ id }) => id)).toEqual(open.map(({ id }) => id))

  // An instance that fails for another reason after it ran elsewhere has another cause.
  await operator.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: two?.id })
  await becomes('two', 'failed')
  const crashed = (await openIssues()).find(({ touches }) => touches[0]?.name === 'two')
  expect(crashed?.cause).toBeNull()

  expect((await end(fault)).status).toBe(204)
  expect(await useOf(sled)).toMatchObject({ condition: 'active', lost_since: null })
  expect((await outage(sled)).since).toBeNull()
  expect((await openIssues()).every(({ cause: by }) => by === null)).toBe(true)
})

test('a sled without instances has an empty outage, and users without fleet access learn nothing', async () => {
  const { id } = await freeSled()
  const fault = await lose(id)
  expect(await outage(id)).toMatchObject({ faults: [fault], outcomes: [], instances: [] })
  expect((await member.get(`/ext/v1/system/sleds/${id}/outage`)).status).toBe(404)
  expect((await operator.get(`/ext/v1/system/sleds/${crypto.randomUUID()}/outage`)).status).toBe(404)
  await end(fault)
})

test('an issue is acknowledged with a note until it ends', async () => {
  const { id: sled } = await freeSled()
  const fault = await lose(sled)
  const path = acknowledgementOf(`fault:${fault}`)
  const acknowledge = (note: string, who = operator) => who.call('PUT', path, { note })

  expect((await acknowledge('Mine', member)).status).toBe(403)
  expect((await acknowledge('x'.repeat(issueLimits.noteMax + 1))).status).toBe(400)
  for (const [unknown, status] of [
    [`fault:${crypto.randomUUID()}`, 404],
    ['nothing:1', 404],
    ['nothing', 400],
    ['fault:', 400],
  ] as const)
    expect((await operator.call('PUT', acknowledgementOf(unknown), { note: '' })).status, unknown).toBe(
      status,
    )

  // Two at once leave one of them.
  const given = await Promise.all([acknowledge('Cable pulled'), acknowledge('On my way')])
  expect(given.map(({ status }) => status)).toEqual([200, 200])
  const [issue] = await openIssues('&kind=fault')
  expect(given.map(({ body }) => body)).toContainEqual(issue?.acknowledgement)
  expect(issue?.acknowledgement?.user_name).toBe('admin')
  const shown = (await overview()).worst.find(({ id }) => id === issue?.id)
  expect(shown?.acknowledgement).toEqual(issue?.acknowledgement)

  const audited = await bed.db
    .selectFrom('audit')
    .select('operation_id')
    .where('operation_id', '=', 'issue_acknowledge')
    .where('http_status_code', '=', 200)
    .execute()
  expect(audited).toHaveLength(2)

  // It is kept while the issue is open: the watch deletes only that of another, which is over.
  const over = {
    issue_id: `fault:${crypto.randomUUID()}`,
    note: '',
    user_id: crypto.randomUUID(),
    user_name: '',
  }
  await bed.db
    .insertInto('issue_acknowledgement')
    .values({ ...over, id: crypto.randomUUID(), time_created: new Date() })
    .execute()
  const look = () => endAcknowledgements(systemCx(testServices({ db: bed.db }), 'reconcile:issues'))
  const left = () => bed.db.selectFrom('issue_acknowledgement').select('issue_id').execute()
  await look()
  expect(await left()).toEqual([{ issue_id: `fault:${fault}` }])
  await end(fault)
  await look()
  expect(await left()).toEqual([])
  expect((await acknowledge('Too late')).status).toBe(404)

  const next = await lose(sled)
  expect((await openIssues('&kind=fault'))[0]?.acknowledgement).toBeNull()
  await operator.call('PUT', acknowledgementOf(`fault:${next}`), { note: 'Mine' })
  const withdraw = (who: Caller) => who.call('DELETE', acknowledgementOf(`fault:${next}`))
  expect((await withdraw(member)).status).toBe(403)
  expect((await withdraw(operator)).status).toBe(204)
  expect((await withdraw(operator)).status).toBe(404)
  expect((await openIssues('&kind=fault'))[0]?.acknowledgement).toBeNull()
  await end(next)
})

test('an instance that failed anew has not been seen by whoever saw its first failure', async () => {
  await create('again')
  await run('again')
  const id = (await member.get(at('again'))).body.id
  const crash = () => operator.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  await crash()
  await becomes('again', 'failed')
  const issue = `failed_instance:${id}`
  expect((await operator.call('PUT', acknowledgementOf(issue), { note: 'Seen' })).status).toBe(200)
  const seen = async () => (await openIssues()).find((each) => each.id === issue)?.acknowledgement
  expect((await seen())?.note).toBe('Seen')
  bed.pass(1000)
  await member.post(at('again', '/start'))
  await run('again')
  await crash()
  await becomes('again', 'failed')
  expect(await seen()).toBeNull()
})
