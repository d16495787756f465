import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Dialect, Kysely, sql } from 'kysely'
import { withDatabases } from './databases.ts'
import { fill, fleet } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { markdown, ms, summary, table } from './measure.ts'

/** What people type, and what parts of it they have typed before. */
const texts = [
  'w',
  'we',
  'web',
  'web-0',
  'web-012345',
  '012345',
  '4711',
  'db',
  'zz',
  'nothing at all',
  'who has 10.0.0.7?',
  '10.0.0.0/24',
  'a8:40:25:f0:00:01',
  'env=prod',
  'env=',
  'batch',
]

const rounds = 5
const into = process.env['GANTRY_BENCH_MARKDOWN']

async function tag(dialect: Dialect): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  await sql`INSERT INTO tag (object_id, key, value, kind, silo_id, project_id)
    SELECT i.id, 'env', CASE WHEN hashtext(i.name) & 7 = 0 THEN 'prod' ELSE 'test' END, 'instance', p.silo_id, p.id
    FROM instance i JOIN project p ON p.id = i.project_id WHERE i.time_deleted IS NULL AND hashtext(i.name) & 3 = 0
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`VACUUM ANALYZE`.execute(db)
}

/** The search of the palette over 100,000 instances: one user, and another one beside whom a third sends 16 at once. */
export default async function measure(): Promise<void> {
  const rows: Record<string, string | number>[] = []
  await withDatabases(async (databases) => {
    for (const database of databases) {
      const filling = await database.open()
      await fill(filling.dialect)
      await tag(filling.dialect)
      await filling.close()
      const server = await serve(database.args)
      try {
        const client = new Client(server.port)
        await client.signIn()
        const { items } = await client.json<{ items: { id: string }[] }>('/v1/instances?project=vast&limit=1')
        const all = [...texts, (items[0]?.id ?? '').slice(0, 9)]
        rows.push({ database: database.name, beside: 'nobody', ...(await times(client, all)) })
        rows.push({
          database: database.name,
          beside: 'another user’s 16 searches',
          ...(await crowded(server.port, all)),
        })
      } finally {
        await server.stop()
      }
    }
  })
  console.log(`${fleet.vast.toLocaleString()} instances in one project, 5 times as many texts`)
  table(rows)
  if (into) writeFileSync(path.join(into, 'search.md'), `${markdown(rows)}\n`)
}

const searched = (client: Client, text: string) =>
  client.json(`/ext/v1/search?limit=10&text=${encodeURIComponent(text)}`)

async function times(client: Client, all: readonly string[]): Promise<Record<string, string | number>> {
  const taken: number[] = []
  const slowest = new Map<string, number>()
  for (let round = -1; round < rounds; round++)
    for (const text of all) {
      const begin = performance.now()
      await searched(client, text)
      const time = performance.now() - begin
      if (round < 0) continue
      taken.push(time)
      slowest.set(text, Math.min(time, slowest.get(text) ?? Infinity))
    }
  const worst = [...slowest].sort(([, one], [, other]) => other - one).slice(0, 3)
  const { p50, p95 } = summary(taken, 1)
  return {
    what: 'search',
    p50: ms(p50),
    p95: ms(p95),
    slowest: worst.map(([text, time]) => `${text} (${ms(time)})`).join(', '),
  }
}

/** A request of one user, while sixteen searches of another one are always on their way. */
async function crowded(port: number, all: readonly string[]): Promise<Record<string, string | number>> {
  const over = new AbortController()
  const connected = async (username: string): Promise<Client> => {
    const client = new Client(port)
    await client.signIn(username)
    return client
  }
  const searchers = await Promise.all(Array.from({ length: 16 }, () => connected('admin')))
  const crowd = searchers.map(async (client, at) => {
    for (let round = at; !over.signal.aborted; round++)
      await searched(client, all[round % all.length] ?? 'web')
  })
  const other = await connected('viewer')
  const taken: number[] = []
  for (let round = 0; round < 60; round++) {
    const begin = performance.now()
    await other.json('/v1/projects?limit=10')
    taken.push(performance.now() - begin)
  }
  over.abort()
  await Promise.all(crowd)
  const { p50, p95 } = summary(taken, 1)
  return { what: 'list of projects', p50: ms(p50), p95: ms(p95), slowest: '' }
}
