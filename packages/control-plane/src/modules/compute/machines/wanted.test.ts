import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fleet } from '@gantry/control-plane/fleet/fleet'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import type { Services } from '@gantry/control-plane/context/services'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { addMachines } from '@gantry/control-plane/testing/machines'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { testServices } from '@gantry/control-plane/testing/services'
import { applyWanted } from './wanted.ts'

let bed: TestBed
let services: Services
let now: number
/** Seconds at which the fleet was asked, by machine. */
let asked: { at: number; ids: readonly string[] }[]
let logged: { message: string; machines: string[] }[]
/** Machines that the fleet refuses, with its words. */
const refused = new Map<string, string>()

const start = new Date('2026-01-01T00:00:00Z').getTime()
beforeEach(async () => {
  ;[now, asked, logged] = [start, [], []]
  refused.clear()
  bed = await testControlPlane({ dialect: await migratedDatabase(), idle: true })
  const clock = () => new Date(now)
  const refuse = async (ids: readonly string[]): Promise<void> => {
    asked.push({ at: (now - start) / 1000, ids: [...ids].sort() })
    const words = ids.map((id) => refused.get(id)).find((one) => one !== undefined)
    if (words !== undefined) throw new Error(words)
  }
  const simulated = simulatedFleet({ db: bed.db, blocks: bed.blocks, clock })
  const machines: Fleet['machines'] = {
    ...simulated.machines,
    stop: (id) => refuse([id]),
    destroy: (ids) => refuse(ids),
  }
  services = testServices({
    db: bed.db,
    clock,
    fleet: { ...simulated, machines },
    log: {
      info() {},
      warn() {},
      error: (fields) =>
        void logged.push({
          message: (fields['err'] as Error).message,
          machines: fields['machines'] as string[],
        }),
    },
  })
})
afterEach(() => bed.stop())

async function pending(count: number, what: 'stop' | 'destroy'): Promise<string[]> {
  await addMachines(bed.db, { count, projects: 1, phase: 'booting' })
  const time = new Date(start)
  const rows = await bed.db
    .updateTable('vmm')
    .set(what === 'stop' ? { time_stop_requested: time } : { time_gone: time })
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort()
}
const wantAnew = (id: string) =>
  bed.db
    .updateTable('vmm')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
const areSettled = async (): Promise<boolean> =>
  (await bed.db.selectFrom('vmm').select(['revision', 'applied_revision']).execute()).every(
    ({ revision, applied_revision }) => revision === applied_revision,
  )
/** As the loop does, each second. */
async function runFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await applyWanted(services)
    now += 1000
  }
}
const times = (): number[] => asked.map(({ at }) => at)

test('a fleet that keeps refusing is asked less and less, but at least each half minute', async () => {
  const [id = ''] = await pending(1, 'stop')
  refused.set(id, 'The disk is broken.')
  await runFor(65)
  expect(times()).toEqual([0, 1, 3, 7, 15, 31, 61])
  expect(await areSettled()).toBe(false)
  refused.clear()
  await runFor(30)
  expect(times().slice(7)).toEqual([91])
  expect(await areSettled()).toBe(true)
})

test('only the first refusal and other words are logged', async () => {
  const [id = ''] = await pending(1, 'stop')
  refused.set(id, 'The disk is broken.')
  await runFor(20)
  expect(logged).toEqual([{ message: 'The disk is broken.', machines: [id] }])
  refused.set(id, 'The host is on fire.')
  await runFor(40)
  expect(logged.map(({ message }) => message)).toEqual(['The disk is broken.', 'The host is on fire.'])
})

test('what is wanted anew is sent at once, and begins anew', async () => {
  const [id = ''] = await pending(1, 'stop')
  refused.set(id, 'The disk is broken.')
  await runFor(20)
  asked = []
  await wantAnew(id)
  await runFor(5)
  expect(times()).toEqual([20, 21, 23])
  expect(logged).toHaveLength(2)
  // Accepted in between: a later refusal is a first one.
  refused.clear()
  await runFor(10)
  expect(await areSettled()).toBe(true)
  asked = []
  refused.set(id, 'The disk is broken.')
  await wantAnew(id)
  await runFor(4)
  expect(times()).toEqual([35, 36, 38])
  expect(logged).toHaveLength(3)
})

test('a machine that cannot be ended delays no other one', async () => {
  const [bad = '', ...good] = await pending(5, 'destroy')
  refused.set(bad, 'The process does not end.')
  await runFor(2)
  expect(asked).toEqual([
    { at: 0, ids: [bad, ...good] },
    ...[bad, ...good].map((id) => ({ at: 1, ids: [id] })),
  ])
  expect(logged).toEqual([{ message: 'The process does not end.', machines: [bad, ...good] }])
  refused.clear()
  await runFor(2)
  expect(await areSettled()).toBe(true)
  expect(asked.at(-1)).toEqual({ at: 3, ids: [bad] })
})

test('a clock that was ahead keeps nothing waiting', async () => {
  const [id = ''] = await pending(1, 'stop')
  refused.set(id, 'The disk is broken.')
  now += 3_600_000
  await runFor(10)
  asked = []
  now = start
  refused.clear()
  await runFor(1)
  expect(times()).toEqual([0])
  expect(await areSettled()).toBe(true)
})
