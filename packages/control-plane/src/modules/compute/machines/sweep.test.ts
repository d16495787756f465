import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Services } from '@gantry/control-plane/context/services'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { addMachines, usageOf } from '@gantry/control-plane/testing/machines'
import { testServices } from '@gantry/control-plane/testing/services'
import { machineReports } from './machine-reports.ts'
import { machineSweep } from './sweep.ts'

let bed: TestBed
let services: Services
beforeEach(async () => {
  bed = await testControlPlane({ idle: true })
  services = testServices({ db: bed.db })
})
afterEach(() => bed.stop())

const states = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ state: string; n: number }>`
    SELECT run_state AS state, count(*)::int AS n FROM instance GROUP BY run_state`.execute(bed.db)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const machines = async () =>
  (await bed.db.selectFrom('simulated_vm').select('id').orderBy('id').execute()).map(({ id }) => id)

test('only machines without a reservation are destroyed, across pages', async () => {
  await addMachines(bed.db, { count: 2300, projects: 1, phase: 'booting' })
  const all = await machines()
  const orphans = all.filter((_, index) => index % 3 === 0)
  await sql`UPDATE vmm SET time_gone = now() WHERE id = ANY (${orphans}::uuid[])`.execute(bed.db)
  await machineSweep.run(services)
  expect(await machines()).toEqual(all.filter((_, index) => index % 3 !== 0))
  expect(await states()).toEqual({ starting: 2300 })
})

test('instances whose machines are gone fail with the reason, or are stopped if a stop was requested', async () => {
  await addMachines(bed.db, { count: 20, projects: 2, phase: 'booting' })
  await addMachines(bed.db, { count: 10, projects: 2, phase: 'stopping' })
  const [kept = ''] = await machines()
  await sql`DELETE FROM simulated_vm WHERE id <> ${kept}`.execute(bed.db)
  await machineSweep.run(services)
  await machineSweep.run(services)
  await machineReports.run(services)
  const { running = 0, failed = 0, stopped = 0 } = await states()
  expect([running + failed + stopped, failed >= 19, stopped >= 9]).toEqual([30, true, true])
  const gone = bed.db.selectFrom('instance').select('failure').where('run_state', '=', 'failed').limit(1)
  expect((await gone.executeTakeFirstOrThrow()).failure).toMatchObject({ code: 'machine_lost' })
  expect(await usageOf(bed.db)).toEqual({ reserved: running, onSleds: running, charged: running })
})

test('a machine that the fleet has not accepted yet does not count as gone', async () => {
  await addMachines(bed.db, { count: 3, projects: 1, phase: 'booting' })
  await sql`UPDATE vmm SET time_started = NULL`.execute(bed.db)
  await sql`DELETE FROM simulated_vm`.execute(bed.db)
  await machineSweep.run(services)
  expect(await states()).toEqual({ starting: 3 })
})
