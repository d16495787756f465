import { Kysely, sql } from 'kysely'
import { openDatabase } from '../../packages/server/src/database/open.ts'

const tables = ['instance', 'change', 'audit', 'job', 'vmm', 'simulated_vm', 'serial_chunk']

/** What the changes left behind in the database of a stopped server, as readable lines. */
export async function contents(dataDir: string): Promise<string> {
  const { dialect, close } = await openDatabase({ dataDir })
  const db = new Kysely<unknown>({ dialect })
  try {
    const lines: string[] = []
    for (const table of tables) {
      const { rows } = await sql<{ rows: number; bytes: number }>`SELECT count(*)::int8 AS rows,
        pg_total_relation_size(${table}::regclass)::int8 AS bytes FROM ${sql.table(table)}`.execute(db)
      const [found] = rows
      if (found) lines.push(`${table}: ${found.rows} rows, ${(found.bytes / 1024 ** 2).toFixed(1)} MiB`)
    }
    return lines.join('\n')
  } finally {
    await close()
  }
}
