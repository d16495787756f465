import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { withDatabases } from './databases.ts'
import { type Dialect, Kysely, sql } from 'kysely'
import { fill, fleet } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { markdown, ms, summary, table } from './measure.ts'

/** What people look for, in the project of 100,000 and in everything that they may see. */
const filters = [
  'name:web*',
  'name:web-0123*',
  'name:web-012345',
  '-name:web* sort:name',
  'name:*4711*',
  'web-0123',
  '4711',
  '"db 77"',
  'state:failed',
  'state:stopped sort:-created',
  '-state:stopped',
  'state:failed or state:running',
  'cpu:1',
  'cpu>=2',
  'cpu:2..8 memory>=2GiB',
  'memory>=1GiB sort:-memory',
  'memory<1GiB',
  'memory:1GiB',
  'sort:-cpu',
  'sort:created',
  'created<7d',
  'created<1h sort:-created',
  'created>30d',
  'created:2020',
  'changed<1d',
  'hostname:web*',
  'description:*database*',
  '-description:*x*',
  'ip:10.0.0.0/24',
  'ip:10.1.2.3',
  'internal:10.0.0.0/16',
  'external:100.64.0.7',
  'external:100.64.0.0/24',
  'external:none',
  'internal:none',
  '10.0.0.77',
  'mac:a8:40:25:f0:00:07',
  'mac:a8:40:25:f0:*',
  'id:7c9e',
  '7c9e6679',
  'image:debian*',
  'image:none',
  'vpc:default',
  'vpc:none',
  'disk:boot*',
  'disk:none',
  'protected:yes',
  'name:web* state:stopped created<30d -hostname:x*',
  '(name:web* or name:db*) cpu:1 memory:1GiB',
  'not (name:web* or name:db* or name:cache*) sort:-name',
] as const

const rounds = 4
const into = process.env['GANTRY_BENCH_MARKDOWN']

/** Machines of several sizes, ages and states, as a real fleet has them. */
async function vary(dialect: Dialect): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  await sql`UPDATE instance SET ncpus = 1 << (hashtext(name) & 3), memory = ${1024 ** 3}::int8 << (hashtext(name) & 5),
    time_created = now() - (hashtext(id::text) & 1048575) * interval '100 seconds',
    run_state = CASE WHEN hashtext(name) % 500 = 0 THEN 'failed' WHEN hashtext(name) & 15 = 0 THEN 'running'
      ELSE run_state END`.execute(db)
  await sql`VACUUM ANALYZE`.execute(db)
}

/** Fifty filters over 100,000 instances: their pages, and the totals of some. */
export default async function measure(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  await withDatabases(async (databases) => {
    for (const database of databases) {
      const filling = await database.open()
      await fill(filling.dialect)
      await vary(filling.dialect)
      await filling.close()
      const server = await serve(database.args)
      try {
        const client = new Client(server.port)
        await client.signIn()
        for (const [where, at] of [
          [`one project of ${fleet.vast.toLocaleString()}`, '&project=vast'],
          [`all ${fleet.projects.toLocaleString()} projects`, ''],
        ] as const) {
          rows.push({
            ...(await times(client, 'pages', where, (text) => `instances?limit=50${at}&filter=${text}`)),
            database: database.name,
          })
          rows.push({
            ...(await times(
              client,
              'totals',
              where,
              (text) => `list-totals?kind=instance${at}&filter=${text}`,
            )),
            database: database.name,
          })
        }
      } finally {
        await server.stop()
      }
    }
  })
  const ordered = rows.map(({ database, ...row }) => ({ database: database ?? '', ...row }))
  table(ordered)
  if (into) writeFileSync(path.join(into, 'filter.md'), `${markdown(ordered)}\n`)
}

async function times(
  client: Client,
  what: string,
  where: string,
  url: (filter: string) => string,
): Promise<Record<string, string | number>> {
  const taken: number[] = []
  const slowest = new Map<string, number>()
  for (let round = -1; round < rounds; round++)
    for (const filter of filters) {
      const begin = performance.now()
      await client.json(`/ext/v1/${url(encodeURIComponent(filter))}`)
      const time = performance.now() - begin
      if (round < 0) continue
      taken.push(time)
      slowest.set(filter, Math.min(time, slowest.get(filter) ?? Infinity))
    }
  const worst = [...slowest].sort(([, one], [, other]) => other - one).slice(0, 4)
  const { p50, p95 } = summary(taken, 1)
  return {
    what,
    where,
    queries: filters.length,
    p50: ms(p50),
    p95: ms(p95),
    slowest: worst.map(([filter, time]) => `${filter} (${ms(time)})`).join(', '),
  }
}
