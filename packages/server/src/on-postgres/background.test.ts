import { machineReports } from '@gantry/control-plane/modules/compute/machines/machine-reports'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { addMachines, usageOf } from '@gantry/control-plane/testing/machines'
import { addOldRows } from '@gantry/control-plane/testing/old-rows'
import { testServices } from '@gantry/control-plane/testing/services'
import { beginNumbering, publishChanges } from '@gantry/control-plane/stream/publisher'
import { retention } from '@gantry/control-plane/background'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: background work on PostgreSQL, ${postgres.missing}`)

/** Two processes on one database share the background work. */
describe.skipIf(!here)('background work of two processes on PostgreSQL', () => {
  let beds: [TestBed, TestBed]
  const failures: unknown[] = []
  beforeAll(async () => {
    if (!here) return
    const url = await here.newDatabase()
    const open = async () => testControlPlane({ dialect: (await openDatabase({ url })).dialect, idle: true })
    beds = [await open(), await open()]
  })
  afterAll(async () => {
    if (!here) return
    for (const bed of beds) await bed.stop()
    await here.stop()
  })
  const log = { info() {}, warn() {}, error: (fields: object) => void failures.push(fields) }
  const processes = () => beds.map(({ db }) => testServices({ db, log }))

  test('reports are recorded once each, and sleds and quotas agree with what runs afterwards', async () => {
    const [{ db }] = beds
    await addMachines(db, { count: 1500, projects: 5, phase: 'booting' })
    await addMachines(db, { count: 1500, projects: 5, phase: 'stopping' })
    const due = async () =>
      (await db.selectFrom('simulated_vm').select('id').where('due_at', 'is not', null).limit(1).execute())
        .length
    await Promise.all(
      processes().map(async (services) => {
        while ((await due()) > 0) await machineReports.run(services)
      }),
    )
    const { rows } = await sql<{ state: string; n: number; changes: number }>`
      SELECT i.run_state AS state, count(DISTINCT i.id)::int AS n, count(c.id)::int AS changes
      FROM instance i JOIN change c ON c.object_id = i.id AND c.operation = 'reconcile:fleet'
      GROUP BY i.run_state ORDER BY 1`.execute(db)
    expect(rows).toEqual([
      { state: 'running', n: 1500, changes: 1500 },
      { state: 'stopped', n: 1500, changes: 1500 },
    ])
    expect(await usageOf(db)).toEqual({ reserved: 1500, onSleds: 1500, charged: 1500 })
    expect(failures).toEqual([])
  })

  test('old rows are deleted by both at once', async () => {
    const [{ db }] = beds
    await addOldRows(db, 5000)
    await Promise.all(processes().map((services) => retention.run(services)))
    for (const table of ['job', 'change', 'audit'] as const) {
      const old = sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)} t
        WHERE t.${sql.ref(table === 'job' ? 'kind' : table === 'audit' ? 'operation_id' : 'operation')} = 'old'`
      expect((await old.execute(db)).rows).toEqual([{ n: 0 }])
    }
  })

  test('changes are numbered once and without a gap, however many number them at once', async () => {
    const [{ db }] = beds
    await beginNumbering(db)
    await Promise.all(
      [...beds, ...beds].map(async (bed) => {
        while (await publishChanges(bed)) continue
      }),
    )
    const { rows } =
      await sql`SELECT count(*) - count(seq) AS waiting, count(*) - count(DISTINCT seq) AS twice,
      max(seq) - count(*) AS gap, max(seq) - (SELECT value FROM counter WHERE name = 'change') AS ahead
      FROM change`.execute(db)
    expect(rows).toEqual([{ waiting: 0, twice: 0, gap: 0, ahead: 0 }])
  })
})
