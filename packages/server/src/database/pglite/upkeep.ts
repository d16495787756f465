import type { Exclusively } from './dialect.ts'

const EVERY_MS = 60_000

/** Thresholds of PostgreSQL's autovacuum, which needs background processes that PGlite lacks. */
const worn = `
  select format('%I.%I', schemaname, relname) as "table"
  from pg_stat_user_tables
  where n_dead_tup > 500 + 0.2 * n_live_tup or n_mod_since_analyze > 250 + 0.1 * n_live_tup`

/**
 * Without this, dead rows of busy tables are never reused and the planner never learns table sizes. One table
 * at a time, so that requests wait for one of them and not for all.
 */
export function startUpkeep(exclusively: Exclusively): { stop: () => void } {
  let timer = setTimeout(run, EVERY_MS).unref()
  let stopped = false

  function run(): void {
    void upkeep(exclusively, () => stopped)
      // A failure only postpones the work; a serious one shows up in the next query.
      .catch(() => {})
      .then(() => {
        if (!stopped) timer = setTimeout(run, EVERY_MS).unref()
      })
  }
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Vacuums and analyses every table with many changes since the last time. */
export async function upkeep(
  exclusively: Exclusively,
  isStopped: () => boolean = () => false,
): Promise<string[]> {
  const { rows } = await exclusively(async (worker) => {
    // A session publishes its counts at most once a second, unless asked to.
    await worker.query('select pg_stat_force_next_flush()', [])
    return worker.query(worn, [])
  })
  const tables = rows.map((row) => String(row['table']))
  for (const table of tables) {
    if (isStopped()) break
    await exclusively((worker) => worker.query(`vacuum (analyze) ${table}`, []))
  }
  return tables
}
