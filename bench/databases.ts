import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type OpenDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'

/** Fewer for a quick look: `GANTRY_BENCH_INSTANCES=500`. */
export const instances = Number(process.env['GANTRY_BENCH_INSTANCES'] ?? 10_000)

/** A new, empty database; `args` are those of a server that opens it. */
export interface BenchDatabase extends DatabaseCopy {
  name: string
  args: string[]
  /** The same for another process: an embedded database is copied, because only one process may open it. */
  copy: (name: string) => Promise<DatabaseCopy>
}

interface DatabaseCopy {
  /** Address or folder. */
  location: string
  open: () => Promise<OpenDatabase>
}

const embedded = (dataDir: string): DatabaseCopy => ({
  location: dataDir,
  open: () => openDatabase({ dataDir }),
})

/** Runs with the databases that `GANTRY_BENCH_DATABASES` names, each time new ones. */
export async function withDatabases(
  run: (databases: readonly BenchDatabase[]) => Promise<void>,
  options: { isDurable?: true } = {},
): Promise<void> {
  const wanted = (process.env['GANTRY_BENCH_DATABASES'] ?? 'PGlite,PostgreSQL').split(',')
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const postgres = wanted.includes('PostgreSQL') ? await temporaryPostgres(options) : undefined
  const databases: BenchDatabase[] = []
  if (wanted.includes('PGlite')) {
    const dataDir = path.join(folder, 'embedded')
    databases.push({
      name: 'PGlite',
      ...embedded(dataDir),
      args: ['--data-dir', dataDir],
      async copy(name) {
        const other = path.join(folder, name)
        await cp(dataDir, other, { recursive: true })
        return embedded(other)
      },
    })
  }
  if (postgres && 'missing' in postgres) console.log(`without PostgreSQL: ${postgres.missing}`)
  else if (postgres) {
    const url = await postgres.newDatabase()
    const same: DatabaseCopy = { location: url, open: () => openDatabase({ url }) }
    databases.push({
      name: 'PostgreSQL',
      ...same,
      args: ['--database', url, '--data-dir', path.join(folder, 'blocks')],
      copy: async () => same,
    })
  }
  try {
    await run(databases)
  } finally {
    if (postgres && !('missing' in postgres)) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
