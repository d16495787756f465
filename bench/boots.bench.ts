import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Kysely } from 'kysely'
import type { Tables } from '../packages/control-plane/src/db/tables.ts'
import { machineReports } from '../packages/control-plane/src/modules/compute/machines/machine-reports.ts'
import { addMachines } from '../packages/control-plane/src/testing/machines.ts'
import { testServices } from '../packages/control-plane/src/testing/services.ts'
import { openDatabase, type OpenDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'
import { seedDemo } from './fill.ts'
import { table } from './measure.ts'

/** Fewer for a quick look: `GANTRY_BENCH_BOOTS=10000`. The embedded database gets a tenth. */
const boots = Number(process.env['GANTRY_BENCH_BOOTS'] ?? 100_000)
const perProject = 1000

/** How long it takes until every instance is running, once all of their boots are over at the same moment. */
export default async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const postgres = await temporaryPostgres()
  const results: Record<string, string | number>[] = []
  try {
    results.push(await measured('embedded', boots / 10, [await openDatabase({ dataDir: folder })]))
    if ('missing' in postgres) console.log(`PostgreSQL is left out: ${postgres.missing}`)
    else
      for (const processes of [1, 2]) {
        const url = await postgres.newDatabase()
        const opened = Array.from({ length: processes }, () => openDatabase({ url }))
        results.push(await measured('PostgreSQL', boots, await Promise.all(opened)))
      }
  } finally {
    if (!('missing' in postgres)) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  table(results)
}

/** Each opened database stands for a process; here they share one processor. */
async function measured(name: string, count: number, opened: readonly OpenDatabase[]) {
  const [first] = opened
  if (!first) throw new Error('no database is open')
  await seedDemo(first.dialect)
  const databases = opened.map(({ dialect }) => new Kysely<Tables>({ dialect }))
  const [db] = databases
  if (!db) throw new Error('no database is open')
  await addMachines(db, { count, projects: Math.ceil(count / perProject), phase: 'booting' })
  const due = async (): Promise<boolean> => {
    const row = db.selectFrom('simulated_vm').select('id').where('due_at', 'is not', null).limit(1)
    return (await row.executeTakeFirst()) !== undefined
  }
  const begin = performance.now()
  await Promise.all(
    databases.map(async (own) => {
      const services = testServices({ db: own })
      while (await due()) await machineReports.run(services)
    }),
  )
  const seconds = (performance.now() - begin) / 1000
  for (const { close } of opened) await close()
  return {
    database: name,
    processes: opened.length,
    boots: count,
    seconds: seconds.toFixed(1),
    'per second': Math.round(count / seconds),
    load: loadavg()[0]?.toFixed(1) ?? '',
  }
}
