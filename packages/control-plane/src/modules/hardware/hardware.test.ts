import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capacityEstimate } from '@gantry/api/system/hardware.rules'
import { type Caller, eventually, said, type TestBed, testControlPlane } from '../../testing/control-plane.ts'
import { systemCx } from '../../context/cx.ts'
import { testServices } from '../../testing/services.ts'
import { drainInstance } from '../compute/drain/instance.ts'

let bed: TestBed
let operator: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

const hardware = '/v1/system/hardware'
const setPolicy = (sled: string, state: string) =>
  operator.call('PUT', `${hardware}/sleds/${sled}/provision-policy`, { state })

let count = 0
/** Starts instances and waits until they run. */
async function running(total: number, more: object = {}): Promise<string[]> {
  const names = Array.from({ length: total }, () => `vm-${++count}`)
  for (const name of names) {
    const body = { name, description: '', hostname: name, ncpus: 2, memory: 2 ** 30, ...more }
    expect(said(await member.post('/v1/instances?project=playground', body))).toBe('201')
  }
  bed.pass(10_000)
  await Promise.all(names.map((name) => becomes(name, 'running')))
  return names
}
const stateOf = async (name: string): Promise<string> =>
  (await member.get(`/v1/instances/${name}?project=playground`)).body.run_state
const becomes = (name: string, state: string) =>
  eventually(
    () => stateOf(name),
    (now) => now === state,
    20_000,
  )

interface Use {
  sled: { id: string }
  instances: { name: string }[]
  threads: { used: number }
}
const uses = async (): Promise<Use[]> => (await operator.get('/ext/v1/system/sleds')).body.items
const sledOf = async (name: string): Promise<string> =>
  (await uses()).find(({ instances }) => instances.some((one) => one.name === name))?.sled.id ?? ''

/** Reservations match the usage recorded on the sleds. */
async function expectAccounts(): Promise<void> {
  const rows = await bed.db
    .selectFrom('sled_usage')
    .leftJoin('vmm', (join) =>
      join.onRef('vmm.sled_id', '=', 'sled_usage.sled_id').on('vmm.time_gone', 'is', null),
    )
    .select((eb) => [
      'sled_usage.sled_id',
      'sled_usage.threads',
      eb.fn.sum<number>('vmm.ncpus').as('reserved'),
    ])
    .groupBy(['sled_usage.sled_id', 'sled_usage.threads'])
    .execute()
  for (const { threads, reserved } of rows) expect(threads).toBe(reserved ?? 0)
}

describe('inventory', () => {
  test('lists racks, switches, sleds and disks, with paging', async () => {
    for (const list of ['racks', 'switches', 'sleds', 'disks']) {
      const { items } = (await operator.get(`${hardware}/${list}?limit=3`)).body
      expect(items.length).toBeGreaterThan(0)
      expect((await operator.get(`${hardware}/${list}/${items[0].id}`)).body).toEqual(items[0])
      expect(said(await member.get(`${hardware}/${list}`))).toBe('403 Forbidden')
      expect((await member.get(`${hardware}/${list}/${items[0].id}`)).status).toBe(404)
    }
    expect((await operator.get(`${hardware}/sleds/${crypto.randomUUID()}/disks`)).body.items).toEqual([])
  })

  test('adds an uninitialized sled, once', async () => {
    const rack = await bed.db.selectFrom('rack').select('id').executeTakeFirstOrThrow()
    const waiting = { part: 'gantry-sled', serial: 'GS-099', revision: 2, rack_id: rack.id, cubby: 30 }
    const size = { usable_hardware_threads: 64, usable_physical_ram: 2 ** 39 }
    await bed.db
      .insertInto('uninitialized_sled')
      .values({ ...waiting, ...size })
      .execute()
    expect((await operator.get(`${hardware}/sleds-uninitialized`)).body.items).toEqual([
      {
        baseboard: { part: 'gantry-sled', serial: 'GS-099', revision: 2 },
        rack_id: rack.id,
        cubby: 30,
      },
    ])
    const paged = await operator.get(`${hardware}/sleds-uninitialized?page_token=any`)
    expect([paged.status, paged.body.error_code]).toEqual([400, 'InvalidValue'])
    const body = { serial: 'GS-099', part: 'gantry-sled' }
    const answers = await Promise.all([1, 2].map(() => operator.post(`${hardware}/sleds`, body)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
    const id = answers.find(({ status }) => status === 201)?.body.id
    const again = await operator.post(`${hardware}/sleds`, body)
    expect(said(again)).toBe(`400 already exists: sled "GS-099 (gantry-sled): ${id}"`)
    expect(again.body.help).toBe('The sled is already part of the rack. Choose an uninitialized one.')
    expect(said(await operator.post(`${hardware}/sleds`, { ...body, serial: 'no-such' }))).toMatch(
      /^404 not found: uninitialized sled/,
    )
    expect((await operator.get(`${hardware}/sleds/${id}/disks`)).body.items).toHaveLength(12)
    expect((await operator.get(`${hardware}/sleds-uninitialized`)).body.items).toEqual([])
  })

  test('an expunged sled can be viewed, is not listed, and has no provision policy', async () => {
    const { id } = await bed.db
      .selectFrom('sled')
      .select('id')
      .where('serial', '=', 'GS-099')
      .executeTakeFirstOrThrow()
    await bed.db
      .updateTable('sled')
      .set({ policy: 'expunged', state: 'decommissioned', is_provisionable: false })
      .where('id', '=', id)
      .execute()
    expect((await operator.get(`${hardware}/sleds/${id}`)).body.policy).toEqual({ kind: 'expunged' })
    const { items } = (await operator.get(`${hardware}/sleds`)).body
    expect(items.map((sled: { id: string }) => sled.id)).not.toContain(id)
    expect(said(await setPolicy(id, 'provisionable'))).toMatch(
      /^409 sled id .* has current policy expunged and the transition to provisionable is not permitted$/,
    )
    expect((await operator.post(`/ext/v1/system/sleds/${id}/drains`, { mode: 'stop' })).status).toBe(409)
  })
})

test('setting the provision policy returns the old one, and keeps new instances away', async () => {
  const [name = ''] = await running(1)
  const sled = await sledOf(name)
  expect((await setPolicy(sled, 'non_provisionable')).body).toEqual({
    old_state: 'provisionable',
    new_state: 'non_provisionable',
  })
  expect((await setPolicy(sled, 'non_provisionable')).body.old_state).toBe('non_provisionable')
  const [other = ''] = await running(1)
  expect(await sledOf(other)).not.toBe(sled)
  expect(await sledOf(name)).toBe(sled)
  await setPolicy(sled, 'provisionable')
})

describe('a drain', () => {
  const drains = (sled: string) => `/ext/v1/system/sleds/${sled}/drains`
  const viewOf = async (id: string) => (await operator.get(`/ext/v1/system/drains/${id}`)).body
  const ends = (id: string) =>
    eventually(
      async () => {
        bed.pass(2000)
        return viewOf(id)
      },
      ({ state }) => state === 'done',
      20_000,
    )

  test('migrates running instances to other sleds without a stop', async () => {
    const names = await running(3)
    const sled = await sledOf(names[0] ?? '')
    const there = (await uses()).find((use) => use.sled.id === sled)?.instances.length ?? 0
    const begun = await operator.post(drains(sled), { mode: 'move' })
    expect(said(begun)).toBe('201')
    expect(said(await operator.post(drains(sled), { mode: 'stop' }))).toBe(
      '409 the sled is already being drained',
    )
    expect(said(await setPolicy(sled, 'provisionable'))).toBe('409 the sled is being drained')
    const done = await ends(begun.body.id)
    expect(done).toMatchObject({ finished: there, total: there })
    expect(done.instances.map(({ state }: { state: string }) => state)).toEqual(Array(there).fill('moved'))
    for (const name of names) {
      expect(await sledOf(name)).not.toBe(sled)
      expect(await stateOf(name)).toBe('running')
    }
    await expectAccounts()
    expect((await operator.get(drains(sled))).body.items).toHaveLength(1)
    expect(said(await operator.post(`/ext/v1/system/drains/${begun.body.id}/cancel`))).toBe(
      '409 the drain is over',
    )
    expect(said(await setPolicy(sled, 'provisionable'))).toBe('200')
  })

  test('stops running instances if requested', async () => {
    const [name = ''] = await running(1)
    const sled = await sledOf(name)
    const { id } = (await operator.post(drains(sled), { mode: 'stop' })).body
    const done = await ends(id)
    expect(done.instances.map(({ state }: { state: string }) => state)).toContain('stopped')
    expect(await stateOf(name)).toBe('stopped')
    await expectAccounts()
    await setPolicy(sled, 'provisionable')
  })

  test('that was cancelled during a pass stops no further instance', async () => {
    const [name = ''] = await running(1)
    const sled_id = await sledOf(name)
    const on = await bed.db
      .selectFrom('instance')
      .innerJoin('project', 'project.id', 'instance.project_id')
      .select(['instance.id', 'instance.run_state', 'project.silo_id', 'project.id as project_id'])
      .where('instance.name', '=', name)
      .executeTakeFirstOrThrow()
    const empty = (await uses()).find((use) => use.instances.length === 0)?.sled.id ?? ''
    const { id } = (await operator.post(drains(empty), { mode: 'stop' })).body
    await operator.post(`/ext/v1/system/drains/${id}/cancel`)
    const stored = bed.db.selectFrom('sled_drain').selectAll().where('id', '=', id)
    const over = { ...(await stored.executeTakeFirstOrThrow()), sled_id }
    await drainInstance(systemCx(testServices({ db: bed.db }), 'job:sled-drain'), over, on)
    expect(await stateOf(name)).toBe('running')
    const intended = bed.db.selectFrom('instance').select('intended_state').where('id', '=', on.id)
    expect(await intended.executeTakeFirst()).toEqual({ intended_state: 'running' })
    await setPolicy(empty, 'provisionable')
  })

  test('reports why an instance stays, and can be cancelled', async () => {
    const [name = ''] = await running(1, { memory: 700 * 2 ** 30, ncpus: 64 })
    const sled = await sledOf(name)
    const others = (await uses()).filter((use) => use.sled.id !== sled)
    for (const { sled: other } of others) await setPolicy(other.id, 'non_provisionable')
    const { id } = (await operator.post(drains(sled), { mode: 'move' })).body
    const waiting = await eventually(
      () => viewOf(id),
      ({ instances }) => instances.some((one: { reason: string | null }) => one.reason),
      20_000,
    )
    expect(JSON.stringify(waiting.instances)).toContain('Could not find any valid sled')
    const cancelled = await operator.post(`/ext/v1/system/drains/${id}/cancel`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', time_ended: expect.any(String) })
    expect(await stateOf(name)).toBe('running')
    expect(await sledOf(name)).toBe(sled)
    for (const { sled: other } of [...others, { sled: { id: sled } }])
      if ((await operator.get(`${hardware}/sleds/${other.id}`)).body.policy.kind === 'in_service')
        await setPolicy(other.id, 'provisionable')
  })

  test('is refused to everyone but a fleet admin', async () => {
    const viewer = await bed.addUser('looker', { roles: [{ at: 'fleet', role: 'viewer' }] })
    const sled = (await uses())[0]?.sled.id ?? ''
    expect(said(await viewer.post(drains(sled), { mode: 'move' }))).toBe('403 Forbidden')
    expect((await member.post(drains(sled), { mode: 'move' })).status).toBe(404)
  })
})

test("the estimate is the factor times the sleds' capacity, rounded up", () => {
  expect(capacityEstimate(3, 100, 1000)).toEqual({ cpus: 70, memory_gib: 700, storage_tib: 62 })
  expect(capacityEstimate(0, 0, 0)).toEqual({ cpus: 0, memory_gib: 0, storage_tib: 0 })
})
