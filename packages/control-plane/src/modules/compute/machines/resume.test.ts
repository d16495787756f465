import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Patch } from '@gantry/control-plane/db/tables'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import type { Services } from '@gantry/control-plane/context/services'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { autoRestart } from './auto-restart.ts'
import { machineReports } from './machine-reports.ts'
import { resumeInterrupted } from './resume.ts'

let bed: TestBed
let me: Caller
let services: Services
let now = Date.now()
/** What the fleet reports of all machines instead. */
let report: Partial<MachineReport> = {}
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())
beforeEach(async () => {
  report = {}
  now += 3_600_000
  const clock = () => new Date(now)
  const fleet = simulatedFleet({ db: bed.db, blocks: bed.blocks, clock })
  const states: typeof fleet.machines.states = async (ids) =>
    new Map([...(await fleet.machines.states(ids))].map(([id, seen]) => [id, { ...seen, ...report }]))
  services = testServices({ db: bed.db, clock, fleet: { ...fleet, machines: { ...fleet.machines, states } } })
  await bed.db.updateTable('instance').set({ is_interrupted: false }).execute()
})

const at = (name: string): string => `/v1/instances/${name}?project=playground`
const states = async (...names: string[]) => {
  const found = await Promise.all(names.map((name) => me.get(at(name))))
  return found.map(({ body }) => body.run_state as string)
}
async function create(name: string, more: object = {}): Promise<string> {
  const body = { name, description: '', ncpus: 1, memory: 1024 ** 3, hostname: name, start: false, ...more }
  return (await me.post('/v1/instances?project=playground', body)).body.id
}
const set = (id: string, values: Patch<'instance'>) =>
  bed.db.updateTable('instance').set(values).where('id', '=', id).execute()
const wasInterrupted = { run_state: 'failed', intended_state: 'running', is_interrupted: true } as const
const step = () => resumeInterrupted.run(services)

test('what ran until its host went down runs again, in order and spaced, whatever the policy and the cool-down', async () => {
  const first = await create('first', { auto_restart_policy: 'never' })
  const second = await create('second')
  const third = await create('third')
  await set(third, wasInterrupted)
  await set(second, { ...wasInterrupted, time_last_auto_restarted: new Date(now) })
  await set(first, wasInterrupted)
  expect(await step()).toBe(5000)
  expect(await states('first', 'second', 'third')).toEqual(['starting', 'failed', 'failed'])
  // A hint in between.
  now += 2000
  expect(await step()).toBe(3000)
  expect(await states('second')).toEqual(['failed'])
  now += 3000
  expect(await step()).toBe(5000)
  expect(await states('first', 'second', 'third')).toEqual(['starting', 'starting', 'failed'])
  // Starting it was no automatic restart after a crash: the next crash is not held up.
  expect((await me.get(at('first'))).body.time_last_auto_restarted).toBeNull()
  now += 5000
  await step()
  expect(await states('third')).toEqual(['starting'])
  expect(await step()).toBeLessThanOrEqual(5000)
})

test('what its user stopped, or wants stopped, stays so', async () => {
  const [stopped, wanted] = [await create('stopped'), await create('unwanted')]
  await set(stopped, wasInterrupted)
  await set(wanted, { ...wasInterrupted, intended_state: 'stopped' })
  expect((await me.post(`/v1/instances/stopped/stop?project=playground`)).status).toBe(202)
  expect(await step()).toBeUndefined()
  expect(await states('stopped', 'unwanted')).toEqual(['stopped', 'failed'])
})

test('the automatic restart leaves them alone, and one that fits nowhere holds up no other', async () => {
  const [big, small] = [await create('big', { ncpus: 64, memory: 1024 ** 4 }), await create('small')]
  await set(big, wasInterrupted)
  await set(small, wasInterrupted)
  await autoRestart.run(services)
  expect(await states('big', 'small')).toEqual(['failed', 'failed'])
  expect(await step()).toBe(5000)
  expect(await states('big', 'small')).toEqual(['failed', 'starting'])
  expect((await me.get(at('big'))).body.failure.code).toBe('InsufficientCapacity')
  // It is still tried.
  await set(big, { ncpus: 1, memory: 1024 ** 3 })
  now += 5000
  await step()
  expect(await states('big')).toEqual(['starting'])
})

test('nothing is tried before a host is back', async () => {
  const id = await create('early')
  await set(id, { ...wasInterrupted, failure: null })
  await bed.db
    .updateTable('sled')
    .set({ time_unreachable: new Date(now) })
    .execute()
  expect(await step()).toBeUndefined()
  expect((await me.get(at('early'))).body.failure).toBeNull()
  await bed.db.updateTable('sled').set({ time_unreachable: null }).execute()
  await step()
  expect(await states('early')).toEqual(['starting'])
})

test.each([
  ['a machine that its host took down is resumed', true, true],
  ['a machine that crashed is not', undefined, false],
])('%s', async (words, by_host, expected) => {
  const name = words.replaceAll(' ', '-')
  const id = await create(name, { start: true })
  const job = await bed.db
    .selectFrom('vmm')
    .select('id')
    .where('instance_id', '=', id)
    .executeTakeFirstOrThrow()
  await services.fleet.machines.ensure({
    id: job.id,
    instance_id: id,
    host_id: crypto.randomUUID(),
    cds: [],
    name,
    hostname: name,
    ncpus: 1,
    memory: 1024 ** 3,
    user_data: '',
    hardware: { ...usualHardware, variables_id: null, tpm_id: null },
    ssh_keys: [],
    disks: [],
    interfaces: [],
    os: '',
    version: '',
  })
  now += 600_000
  report = { state: 'failed', by_guest: false, reason: null, ...(by_host && { by_host }) }
  await machineReports.run(services)
  const row = await bed.db
    .selectFrom('instance')
    .select(['run_state', 'is_interrupted'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(row).toEqual({ run_state: 'failed', is_interrupted: expected })
})
