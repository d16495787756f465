import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** The plan of a statement for any parameters; it scans a table only where no index serves. */
export async function genericPlan(db: Kysely<Tables>, statement: string): Promise<string> {
  const highest = Math.max(0, ...Array.from(statement.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  const nothing = Array.from({ length: highest }, () => 'NULL').join(', ')
  return db.connection().execute(async (one) => {
    const run = (text: string) => sql.raw<{ 'QUERY PLAN': string }>(text).execute(one)
    await run('SET enable_seqscan = off')
    await run('SET plan_cache_mode = force_generic_plan')
    await run(`PREPARE planned AS ${statement}`)
    const { rows } = await run(`EXPLAIN EXECUTE planned (${nothing})`)
    for (const text of ['DEALLOCATE planned', 'RESET enable_seqscan', 'RESET plan_cache_mode'])
      await run(text)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
