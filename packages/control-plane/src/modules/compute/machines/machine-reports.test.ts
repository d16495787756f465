import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import type { Services } from '@gantry/control-plane/context/services'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { type Counted, countedStatements } from '@gantry/control-plane/testing/counted-statements'
import { addMachines, usageOf } from '@gantry/control-plane/testing/machines'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { testServices } from '@gantry/control-plane/testing/services'
import { machineReports } from './machine-reports.ts'

let counted: Counted
let bed: TestBed
let services: Services
const failures: unknown[] = []
beforeEach(async () => {
  failures.length = 0
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  const log = { info() {}, warn() {}, error: (fields: object) => void failures.push(fields) }
  services = testServices({ db: bed.db, log })
})
afterEach(() => bed.stop())

const runStates = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ state: string; n: number }>`
    SELECT run_state AS state, count(*)::int AS n FROM instance GROUP BY run_state`.execute(bed.db)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const someVm = () =>
  bed.db.selectFrom('simulated_vm').selectAll().orderBy('id').limit(1).executeTakeFirstOrThrow()

test('many boots take few statements, and each instance has its own record in its own project', async () => {
  await addMachines(bed.db, { count: 450, projects: 3, phase: 'booting' })
  const statements = await counted.during(async () => {
    for (let round = 0; round < 3; round++) await machineReports.run(services)
  })
  // Eight for each batch of at most 200, including those that begin and end its transaction, and one for each
  // hundred of its records and of its instances of one project.
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3 * (8 + 2 + 4))
  expect(await runStates()).toEqual({ running: 450 })
  const { rows } = await sql<{ n: number; rightly: number }>`SELECT count(*)::int AS n,
      count(DISTINCT i.id) FILTER (WHERE c.project_id = i.project_id AND c.generation = i.generation
        AND c.before ->> 'run_state' = 'starting' AND c.after ->> 'run_state' = 'running')::int AS rightly
    FROM change c JOIN instance i ON i.id = c.object_id WHERE c.operation = 'reconcile:fleet'`.execute(bed.db)
  expect(rows).toEqual([{ n: 450, rightly: 450 }])
  expect(await machineReports.run(services)).toBeUndefined()
  expect(failures).toEqual([])
})

test('machines that end release sleds and quotas, and one that fails to boot does not delay the others', async () => {
  await addMachines(bed.db, { count: 20, projects: 2, phase: 'booting' })
  await addMachines(bed.db, { count: 30, projects: 2, phase: 'stopping' })
  const booting = await bed.db
    .selectFrom('simulated_vm')
    .selectAll()
    .where('phase', '=', 'booting')
    .limit(1)
    .executeTakeFirstOrThrow()
  await bed.db
    .insertInto('fault')
    .values({
      id: crypto.randomUUID(),
      kind: 'boot_failure',
      instance_id: booting.instance_id,
      sled_id: null,
      time_created: new Date(),
    })
    .execute()
  expect(await usageOf(bed.db)).toEqual({ reserved: 50, onSleds: 50, charged: 50 })
  await machineReports.run(services)
  expect(await runStates()).toEqual({ running: 19, stopped: 30, failed: 1 })
  expect(await usageOf(bed.db)).toEqual({ reserved: 19, onSleds: 19, charged: 19 })
  const failed = await bed.db
    .selectFrom('instance')
    .select(['failure', 'vmm_id'])
    .where('id', '=', booting.instance_id)
    .executeTakeFirstOrThrow()
  expect(failed).toMatchObject({ vmm_id: null, failure: { code: 'boot_failure' } })
  expect(await bed.db.selectFrom('simulated_vm').select('id').execute()).toHaveLength(19)
})

test('machines without a reservation are deleted from the fleet', async () => {
  await addMachines(bed.db, { count: 2, projects: 1, phase: 'booting' })
  const { id } = await someVm()
  await bed.db.updateTable('vmm').set({ time_gone: new Date() }).where('id', '=', id).execute()
  await machineReports.run(services)
  expect(await runStates()).toEqual({ starting: 1, running: 1 })
  expect(await bed.db.selectFrom('simulated_vm').select('id').where('id', '=', id).execute()).toEqual([])
})

/** Has the fleet report this of its machines. */
const reporting = (report: Omit<MachineReport, 'version'>): Services => {
  const { machines } = services.fleet
  const states: typeof machines.states = async (ids) =>
    new Map([...(await machines.states(ids))].map(([id, { version }]) => [id, { ...report, version }]))
  return { ...services, fleet: { ...services.fleet, machines: { ...machines, states } } }
}
const instances = () =>
  bed.db.selectFrom('instance').select(['run_state', 'intended_state', 'failure']).execute()

test('a machine that cannot continue for now runs with the reason, until it is gone', async () => {
  await addMachines(bed.db, { count: 1, projects: 1, phase: 'booting' })
  const reason = { code: 'x', message: 'Full.', next_step: 'Wait.', time: new Date().toISOString() }
  await machineReports.run(reporting({ state: 'running', by_guest: false, reason }))
  expect(await instances()).toEqual([{ run_state: 'running', intended_state: 'running', failure: reason }])
  await bed.db.updateTable('simulated_vm').set({ due_at: new Date() }).execute()
  await machineReports.run(reporting({ state: 'running', by_guest: false, reason: null }))
  expect(await instances()).toEqual([{ run_state: 'running', intended_state: 'running', failure: null }])
})

test('a guest that shut down unseen stays down', async () => {
  await addMachines(bed.db, { count: 1, projects: 1, phase: 'booting' })
  await machineReports.run(reporting({ state: 'stopped', by_guest: true, reason: null }))
  expect(await instances()).toEqual([
    { run_state: 'stopped', intended_state: 'guest_shutdown', failure: null },
  ])
})

test('reports that cannot be recorded do not affect the rest of their batch', async () => {
  await addMachines(bed.db, { count: 5, projects: 1, phase: 'booting' })
  const { id: bad } = await someVm()
  const { machines } = services.fleet
  const states: typeof machines.states = (ids) =>
    ids.includes(bad) ? Promise.reject(new Error('no answer')) : machines.states(ids)
  await machineReports.run({ ...services, fleet: { ...services.fleet, machines: { ...machines, states } } })
  expect(await runStates()).toEqual({ starting: 1, running: 4 })
  expect(failures).toHaveLength(2)
  await machineReports.run(services)
  expect(await runStates()).toEqual({ running: 5 })
})
