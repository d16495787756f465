import { loadavg } from 'node:os'
import { Kysely, sql } from 'kysely'
import { type BenchDatabase, withDatabases } from './databases.ts'
import { fill } from './fill.ts'
import { serve } from './fleet.ts'
import { type Call, startClients } from './load/clients.ts'
import { markdown, ms } from './measure.ts'

const concurrencies = [1, 10, 50]
const spreads = [1, 10, 50]
const cellMs = Number(process.env['GANTRY_LOAD_CELL_MS'] ?? 1500)
const GiB = 1024 ** 3

/** Instances created a second, by the number of clients and of projects that they create them in. */
export default async function measure(): Promise<void> {
  await withDatabases(
    async (databases) => {
      for (const database of databases) await onDatabase(database)
    },
    { isDurable: true },
  )
}

async function onDatabase({ name, open, args }: BenchDatabase): Promise<void> {
  const filling = await open()
  await fill(filling.dialect)
  await admit(new Kysely<unknown>({ dialect: filling.dialect }))
  await filling.close()
  const server = await serve(args)
  try {
    console.log(`\n## ${name}; load ${loadavg()[0]?.toFixed(1)}\n\n${markdown(await rates(server.port))}`)
  } finally {
    await server.stop()
  }
}

/** Lets every caller create instances in every project. */
const admit = (db: Kysely<unknown>): Promise<unknown> =>
  sql`INSERT INTO role_assignment (resource_type, resource_id, identity_type, identity_id, role_name)
    SELECT 'silo', silo.id, 'silo_group', g.id, 'collaborator' FROM silo, silo_group g
    ON CONFLICT DO NOTHING`.execute(db)

async function rates(port: number): Promise<Record<string, string | number>[]> {
  const clients = startClients(port)
  try {
    await clients.repeat(1, cellMs, creations(0, 1))
    const rows: Record<string, string | number>[] = []
    let first = 1
    for (const count of concurrencies)
      for (const projects of spreads) {
        const { p50, p95, perSecond } = await clients.repeat(count, cellMs, creations(first, projects))
        first += projects
        rows.push({
          clients: count,
          projects,
          p50: ms(p50),
          p95: ms(p95),
          'created a second': Math.round(perSecond),
        })
      }
    return rows
  } finally {
    clients.stop()
  }
}

/** One call for each project; clients take them in turn. Each figure has projects of its own, whose subnets are empty. */
const creations = (first: number, projects: number): Call[] =>
  Array.from({ length: projects }, (_, number) => ({
    method: 'POST',
    path: `/v1/instances?project=project-${String(first + number).padStart(4, '0')}`,
    body: {
      name: 'made-*',
      description: '',
      hostname: 'made-*',
      ncpus: 1,
      memory: GiB,
      start: false,
      disks: [
        {
          type: 'create',
          name: 'made-*',
          description: '',
          size: GiB,
          disk_source: { type: 'blank', block_size: 512 },
        },
      ],
    },
  }))
