import { hotPlugCannot } from '@gantry/api/compute/hot-plug.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActivityEntry } from '@gantry/api/history/activity'
import { CannotPlug, type Machines } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import { machine, newDisk } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

let bed: TestBed
let me: Caller
let machines: Machines
/** How the machines of a test behave, instead of the simulated ones. */
let instead: Partial<Pick<Machines, 'plug' | 'unplug'>> = {}
beforeAll(async () => {
  const fleet: typeof simulatedFleet = (given) => {
    const real = simulatedFleet(given)
    ;({ machines } = real)
    const { plug, unplug } = machines
    return {
      ...real,
      machines: {
        ...machines,
        plug: async (id, disk) => (await (instead.plug ?? plug)?.(id, disk)) ?? 'ended',
        unplug: async (id, disk) => (await (instead.unplug ?? unplug)?.(id, disk)) ?? 'ended',
      },
    }
  }
  bed = await testControlPlane({ environment: { fleet } })
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'web', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=web'
const exchange = (what: 'attach' | 'detach', instance: string, disk: string, by = me) =>
  by.call('POST', `/ext/v1/instances/${instance}/disks/${what}?${at}`, { disk })
const view = async (disk: string) => (await me.get(`/v1/disks/${disk}?${at}`)).body
const becomes = (instance: string, wanted: string) =>
  eventually(
    async () => (await me.get(`/v1/instances/${instance}?${at}`)).body.run_state,
    (state) => state === wanted,
  )
const settles = (disk: string, wanted: string) =>
  eventually(
    () => view(disk),
    ({ state }) => state.state === wanted,
  )
const vmm = async (name: string) => {
  const row = await bed.db
    .selectFrom('instance')
    .select('vmm_id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.vmm_id ?? ''
}
const held = async (name: string) => (await machines.disks?.(await vmm(name))) ?? []
const running = async (name: string, disks: readonly string[] = []) => {
  const boot = { type: 'create', ...newDisk(`${name}-boot`) }
  const others = disks.map((disk) => ({ type: 'create', ...newDisk(disk) }))
  await made(me, `/v1/instances?${at}`, { ...machine(name), boot_disk: boot, disks: others, start: true })
  await becomes(name, 'running')
}
test('a disk comes and goes while its instance runs, with its machine, its task and its activity', async () => {
  await running('vm')
  const id = await made(me, `/v1/disks?${at}`, newDisk('data'))
  const attached = await exchange('attach', 'vm', 'data')
  expect([attached.status, attached.body.state.state]).toEqual([202, 'attached'])
  expect(await held('vm')).toContain(id)
  expect((await exchange('attach', 'vm', 'data')).body.state.state).toBe('attached')
  expect((await me.get(`/v1/instances/vm/disks?${at}`)).body.items).toHaveLength(2)
  // The API's own operation keeps its rule.
  const refused = await me.post(`/v1/instances/vm/disks/detach?${at}`, { disk: 'data' })
  expect(refused.body.message).toBe('cannot detach disk: instance is not fully stopped')

  await exchange('detach', 'vm', 'data')
  expect((await settles('data', 'detached')).failure).toBeNull()
  expect(await held('vm')).not.toContain(id)
  expect((await exchange('detach', 'vm', 'data')).status).toBe(202)
  const { items } = (await me.get(`/ext/v1/activity?${at}&kind=disk`)).body
  expect(items.slice(0, 2).map(({ changes: [one] }: ActivityEntry) => one?.action)).toEqual([
    'detached',
    'attached',
  ])
  const tasks = (await me.get('/ext/v1/tasks')).body.items
  expect(tasks.slice(0, 2)).toMatchObject([
    { verb: 'detach', state: 'finished', object: { name: 'data' } },
    { verb: 'attach', state: 'finished', object: { name: 'data' } },
  ])
  const way = `/ext/v1/activity/${items[0].id}/revert`
  const reverted = await me.post(way, { hash: (await me.get(way)).body.hash, keep: [] })
  expect(reverted.status, JSON.stringify(reverted.body)).toBeLessThan(300)
  await settles('data', 'attached')
  expect(await held('vm')).toContain(id)
})

test('a guest that keeps a disk is waited for, and then the disk is attached as before', async () => {
  await running('stubborn', ['kept'])
  instead = { unplug: async () => 'pending' }
  const asked = await exchange('detach', 'stubborn', 'kept')
  expect([asked.status, asked.body.state.state]).toEqual([202, 'detaching'])
  expect((await exchange('detach', 'stubborn', 'kept')).body.state.state).toBe('detaching')
  expect((await exchange('attach', 'stubborn', 'kept')).body.message).toContain('is being detached')
  // As if the time were over.
  const past = new Date(0).toISOString()
  await bed.db
    .updateTable('job')
    .set({ args: JSON.stringify({ disk_id: asked.body.id, until: past }) })
    .where('kind', '=', 'disk-unplug')
    .where('state', '=', 'pending')
    .execute()
  const kept = await settles('kept', 'attached')
  instead = {}
  expect(kept.failure).toMatchObject({ code: 'KeptByGuest' })
  const [task] = (await me.get('/ext/v1/tasks')).body.items
  expect(task).toMatchObject({ verb: 'detach', state: 'failed', failure: { code: 'KeptByGuest' } })
  await exchange('detach', 'stubborn', 'kept')
  expect((await settles('kept', 'detached')).failure).toBeNull()
})

test('the stop of an instance ends a detachment that its guest does not answer', async () => {
  await running('ending', ['left'])
  instead = { unplug: async () => 'pending' }
  await exchange('detach', 'ending', 'left')
  await me.post(`/ext/v1/instances/ending/force-off?${at}`)
  await becomes('ending', 'stopped')
  expect((await settles('left', 'detached')).failure).toBeNull()
  instead = {}
})

test('what a machine cannot do is refused with what to do, and changes nothing', async () => {
  await running('fixed', ['second'])
  const boot = await exchange('detach', 'fixed', 'fixed-boot')
  expect([boot.status, boot.body.help]).toEqual([409, `${hotPlugCannot.boot}. Stop it first.`])
  instead = { unplug: () => Promise.reject(new CannotPlug('fixed')) }
  await exchange('detach', 'fixed', 'second')
  expect((await settles('second', 'attached')).failure.message).toBe(`${hotPlugCannot.fixed}.`)
  instead = {}
  await made(me, `/v1/disks?${at}`, newDisk('third'))
  instead = { plug: () => Promise.reject(new CannotPlug('no_bridge')) }
  await exchange('attach', 'fixed', 'third')
  expect((await settles('third', 'detached')).failure.message).toBe(`${hotPlugCannot.earlier}.`)
  instead = {}

  await bed.db
    .updateTable('disk')
    .set({ hardware: JSON.stringify({ disk_model: 'sata' }) })
    .where('name', '=', 'fixed-boot')
    .execute()
  for (const [what, disk] of [
    ['attach', 'third'],
    ['detach', 'second'],
  ] as const) {
    const refused = await exchange(what, 'fixed', disk)
    expect([refused.status, refused.body.message]).toEqual([400, `${hotPlugCannot.sata}.`])
  }
  await bed.db.updateTable('instance').set({ run_state: 'rebooting' }).where('name', '=', 'fixed').execute()
  const busy = await exchange('attach', 'fixed', 'third')
  expect(busy.body.message).toBe('cannot attach disk while instance fixed is rebooting')
})

test('an instance that is stopped gets and loses disks as by the operations of the API', async () => {
  await made(me, `/v1/instances?${at}`, machine('off'))
  await made(me, `/v1/disks?${at}`, newDisk('spare'))
  expect((await exchange('attach', 'off', 'spare')).body.state).toMatchObject({ state: 'attached' })
  expect((await exchange('attach', 'off', 'third')).status).toBe(202)
  expect((await exchange('detach', 'off', 'spare')).body.state).toEqual({ state: 'detached' })
  const viewer = await bed.signIn('viewer')
  expect((await exchange('attach', 'off', 'spare', viewer)).status).toBe(403)
})
