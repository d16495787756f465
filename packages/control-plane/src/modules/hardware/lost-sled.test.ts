import type { SledOutage, SledOutageStarted } from '@gantry/api/system/hardware'
import { outageStartsAtOnce } from '@gantry/api/system/hardware.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3
let bed: TestBed
let operator: Caller
let viewer: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  viewer = await bed.signIn('viewer')
  member = await bed.signIn('member')
}, 400_000)
afterAll(() => bed.stop())

const at = (name: string, rest = '') => `/v1/instances/${name}${rest}?project=playground`
const viewOf = async (name: string) => (await member.get(at(name))).body
const becomes = (name: string, state: string) =>
  eventually(
    async () => {
      bed.pass(3100)
      return (await viewOf(name)).run_state
    },
    (is) => is === state,
  )
async function run(...names: string[]): Promise<void> {
  for (const name of names) {
    const body = {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: GiB,
      auto_restart_policy: 'never',
    }
    expect((await member.post('/v1/instances?project=playground', body)).status).toBe(201)
  }
  for (const name of names) await becomes(name, 'running')
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
const sledIds = async (): Promise<string[]> =>
  (await operator.get('/v1/system/hardware/sleds')).body.items.map((sled: { id: string }) => sled.id)
const policy = (id: string, state: string) =>
  operator.call('PUT', `/v1/system/hardware/sleds/${id}/provision-policy`, { state })
/** Runs instances on one sled, whatever placement would choose. */
async function runTogether(first: string, ...rest: string[]): Promise<string> {
  await run(first)
  const sled = await sledOf(first)
  const others = (await sledIds()).filter((id) => id !== sled)
  for (const id of others) await policy(id, 'non_provisionable')
  await run(...rest)
  for (const id of others) await policy(id, 'provisionable')
  return sled
}
const lose = async (sled_id: string): Promise<string> =>
  (await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id })).body.id
const ext = (sled: string, rest: string) => `/ext/v1/system/sleds/${sled}/${rest}`
const outage = async (sled: string): Promise<SledOutage> => (await operator.get(ext(sled, 'outage'))).body
const startElsewhere = (sled: string, instances: string[], who = operator) =>
  who.post(ext(sled, 'outage/start'), { instances })
const errorsOf = ({ items }: SledOutageStarted) => items.map(({ error }) => error?.message ?? null)
const expunge = (sled: string, who = operator) => who.post(ext(sled, 'expunge'), {})
const rowOf = (sled: string) =>
  bed.db.selectFrom('sled').selectAll().where('id', '=', sled).executeTakeFirstOrThrow()
const decommissioned = (sled: string) =>
  eventually(
    async () => (await rowOf(sled)).state,
    (state) => state === 'decommissioned',
  )
const openIssues = async (): Promise<unknown[]> =>
  (await operator.get('/ext/v1/system/issues?state=open')).body.items
/** A sled on which nothing runs. */
const freeSled = async (): Promise<string> =>
  (
    await bed.db
      .selectFrom('sled')
      .select('id')
      .where('policy', '=', 'in_service')
      .where('id', 'not in', bed.db.selectFrom('vmm').select('sled_id').where('time_gone', 'is', null))
      .executeTakeFirstOrThrow()
  ).id

describe('what a lost sled took down', () => {
  let sled: string
  let fault: string
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    sled = await runTogether('one', 'two', 'three', 'four')
    for (const name of ['one', 'two', 'three', 'four']) ids[name] = (await viewOf(name)).id
  })
  const idsOf = (...names: string[]) => names.map((name) => ids[name] ?? '')

  test('starts nothing while the sled is not lost', async () => {
    const answer = await startElsewhere(sled, idsOf('one'))
    expect(answer.status).toBe(200)
    expect(errorsOf(answer.body)).toEqual([expect.stringMatching(/^not found: instance/)])
    expect((await viewOf('one')).run_state).toBe('running')
  })

  test('starts on other sleds, each with its result', async () => {
    fault = await lose(sled)
    for (const name of ['one', 'two', 'three', 'four']) await becomes(name, 'failed')
    const unknown = crypto.randomUUID()
    const answer = await startElsewhere(sled, [...idsOf('one', 'one'), unknown])
    expect(answer.body.items.map(({ instance_id }: { instance_id: string }) => instance_id)).toEqual([
      ids['one'],
      unknown,
    ])
    expect(errorsOf(answer.body)).toEqual([null, expect.stringMatching(/^not found: instance/)])
    await becomes('one', 'running')
    expect(await sledOf('one')).not.toBe(sled)
    const again = await startElsewhere(sled, idsOf('one'))
    expect(errorsOf(again.body)).toEqual(['the instance has not failed, or is started already'])
    const one = (await outage(sled)).instances.find(({ name }) => name === 'one')
    expect(one?.outcome).toBe('started')
    const audited = await bed.db
      .selectFrom('audit')
      .select(['silo_id', 'http_status_code'])
      .where('operation_id', '=', 'sled_outage_start')
      .execute()
    // Requests, and not starts: each is one record of the operator, and none in the silo of the instances.
    expect(audited).toHaveLength(3)
    // The account tells who started it, and the request can be repeated.
    const { items } = (await operator.get('/ext/v1/activity?mine=true')).body
    const entry = items.find(({ operation }: { operation: string }) => operation === 'sled_outage_start')
    expect(entry).toMatchObject({ changes: [{ action: 'started', kind: 'instance', name: 'one' }] })
    const kept = (await operator.get(`/ext/v1/me/requests?entry=${entry.id}`)).body.items
    expect(kept).toMatchObject([{ operation: 'sledOutageStart' }])
  })

  test('starts each once, however many ask at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => startElsewhere(sled, idsOf('two'))))
    expect(answers.flatMap(({ body }) => errorsOf(body)).filter((error) => error === null)).toHaveLength(1)
    const machines = await bed.db
      .selectFrom('vmm')
      .select('id')
      .where('instance_id', '=', ids['two'] ?? '')
      .where('time_gone', 'is', null)
      .execute()
    expect(machines).toHaveLength(1)
  })

  test('says why one cannot start, there and in its failure', async () => {
    const others = (await sledIds()).filter((id) => id !== sled)
    for (const id of others) await policy(id, 'non_provisionable')
    const answer = await startElsewhere(sled, idsOf('three', 'four'))
    const [three] = answer.body.items
    expect(three.error.message).toMatch(/sled|capacity/i)
    expect((await outage(sled)).instances.find(({ name }) => name === 'three')?.reason).toBe(
      three.error.message,
    )
    for (const id of others) await policy(id, 'provisionable')
  })

  test('is started by the admins of the fleet only, and a few at a time', async () => {
    expect((await startElsewhere(sled, idsOf('three'), member)).status).toBe(404)
    expect((await startElsewhere(sled, idsOf('three'), viewer)).status).toBe(404)
    expect((await startElsewhere(sled, [])).status).toBe(400)
    const many = Array.from({ length: outageStartsAtOnce + 1 }, () => crypto.randomUUID())
    expect((await startElsewhere(sled, many)).status).toBe(400)
    expect((await startElsewhere(sled, ['three'])).status).toBe(400)
    expect((await startElsewhere(crypto.randomUUID(), idsOf('three'))).status).toBe(404)
    expect((await viewOf('three')).run_state).toBe('failed')
  })

  test('stays known when the sled is removed for good, and can still be started', async () => {
    const before = await outage(sled)
    const answers = await Promise.all([1, 2].map(() => expunge(sled)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    await decommissioned(sled)
    expect((await operator.get(`/v1/system/hardware/sleds/${sled}`)).body).toMatchObject({
      policy: { kind: 'expunged' },
      state: 'decommissioned',
    })
    const after = await outage(sled)
    expect(after).toMatchObject({ since: before.since, faults: [], outcomes: before.outcomes })
    expect(errorsOf((await startElsewhere(sled, idsOf('three'))).body)).toEqual([null])
    await becomes('three', 'running')
    expect((await operator.get('/ext/v1/faults')).body.items).not.toContainEqual(
      expect.objectContaining({ id: fault }),
    )
  })
})

test('a sled that is removed for good leaves lists, counts, issues and placement', async () => {
  const sled = await freeSled()
  await lose(sled)
  const counts = async () => (await operator.get('/ext/v1/system/overview')).body.fleet
  const before = await counts()
  expect(before.lost).toBe(1)
  expect(await openIssues()).toContainEqual(expect.objectContaining({ kind: 'fault' }))
  expect((await expunge(sled)).body).toMatchObject({ id: sled, policy: { kind: 'expunged' } })
  await decommissioned(sled)
  expect(await counts()).toMatchObject({ sleds: before.sleds - 1, lost: 0 })
  expect(await sledIds()).not.toContain(sled)
  const uses = (await operator.get('/ext/v1/system/sleds')).body.items
  expect(uses.map((use: { sled: { id: string } }) => use.sled.id)).not.toContain(sled)
  const disks = (await operator.get('/v1/system/hardware/disks?limit=1000')).body.items
  expect(disks.map((disk: { sled_id: string }) => disk.sled_id)).not.toContain(sled)
  expect((await operator.get(`/v1/system/hardware/sleds/${sled}/disks`)).body.items[0]).toMatchObject({
    policy: { kind: 'expunged' },
    state: 'decommissioned',
  })
  expect(await openIssues()).not.toContainEqual(expect.objectContaining({ kind: 'fault' }))
  expect((await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: sled })).status).toBe(409)
  expect((await policy(sled, 'provisionable')).status).toBe(409)
})

test('a sled on which instances run is removed only when it is drained, or lost', async () => {
  await run('busy')
  const sled = await sledOf('busy')
  const refused = await expunge(sled)
  expect([refused.status, refused.body.message, refused.body.help]).toEqual([
    409,
    'the sled cannot be removed for good',
    'Instances run on the sled. Drain it first.',
  ])
  expect((await expunge(sled, member)).status).toBe(404)
  expect((await expunge(sled, viewer)).status).toBe(404)
  expect((await rowOf(sled)).policy).toBe('in_service')
})

test('machines that a host cannot report fail when it is removed', async () => {
  await run('unseen')
  const sled = await sledOf('unseen')
  await bed.db
    .updateTable('sled')
    .set({ time_unreachable: new Date(), engine: 'QEMU' })
    .where('id', '=', sled)
    .execute()
  expect((await expunge(sled)).status).toBe(200)
  await becomes('unseen', 'failed')
  expect((await viewOf('unseen')).failure).toMatchObject({
    code: 'sled_removed',
    message: 'Its sled was removed for good.',
  })
  await decommissioned(sled)
  const left = await bed.db
    .selectFrom('sled_usage')
    .selectAll()
    .where('sled_id', '=', sled)
    .executeTakeFirstOrThrow()
  expect(left).toMatchObject({ threads: 0, memory: 0 })
})
