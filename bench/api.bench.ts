import { fileURLToPath } from 'node:url'
import { CompiledQuery, Kysely, sql } from 'kysely'
import type { OpenDatabase } from '../packages/server/src/database/open.ts'
import { type BenchDatabase, withDatabases } from './databases.ts'
import { fill, fleet, vastName } from './fill.ts'
import { Client, serve, type Served, start } from './fleet.ts'
import { inTurns, markdown, ms, table, time, type Times } from './measure.ts'

const rounds = Number(process.env['GANTRY_BENCH_ROUNDS'] ?? 2000)
const creations = 300
const pageSize = 50
const GiB = 1024 ** 3
const minimal = fileURLToPath(new URL('api/minimal.mjs', import.meta.url))

/**
 * List, view and create over HTTP, beside the same query by the bare driver and beside servers that do
 * nothing but send its rows. All calls take turns, so that what else the machine does affects them alike.
 */
export default async function measure(): Promise<void> {
  console.log(`${fleet.vast.toLocaleString()} instances in one project; one client; ${rounds} rounds`)
  await withDatabases(async (databases) => {
    for (const database of databases) await onDatabase(database)
  })
}

async function onDatabase({ name, open, args, copy }: BenchDatabase): Promise<void> {
  const filling = await open()
  await fill(filling.dialect)
  const { rows } = await sql<{ id: string }>`SELECT id FROM project WHERE name = 'vast'`.execute(
    new Kysely<unknown>({ dialect: filling.dialect }),
  )
  const project = rows[0]?.id ?? ''
  await filling.close()

  // Only one process opens an embedded database, so the others have copies.
  const bare = await copy('bare')
  const opened = await bare.open()
  const byNode = await serveMinimal('node', await copy('node'))
  const byOwn = await serveMinimal('own', await copy('own'))
  const server = await serve(args)
  try {
    const client = new Client(server.port)
    await client.signIn()
    const minimalClients = { byNode: new Client(byNode.port), byOwn: new Client(byOwn.port) }
    const times = await calls(client, minimalClients, opened, project)
    const create = await time(creations, (round) =>
      client.send('POST', '/v1/instances?project=playground', {
        name: `made-${round}-${Math.random().toString(36).slice(2)}`,
        description: '',
        ncpus: 1,
        memory: GiB,
        hostname: 'made',
        start: false,
      }),
    )
    const row = (call: string, taken: Times, than?: Times) => ({
      database: name,
      call,
      p10: ms(taken.p10),
      p50: ms(taken.p50),
      p95: ms(taken.p95),
      'per second': Math.round(taken.perSecond),
      'beside p50': than ? ms(than.p50) : '',
      'ratio p10': than ? (taken.p10 / than.p10).toFixed(2) : '',
      'ratio p50': than ? (taken.p50 / than.p50).toFixed(2) : '',
    })
    const printed = [
      row('ping (no database)', times.ping),
      row("minimal handler of the view by Node's server", times.viewByNode, times.bareView),
      row('minimal handler of the view by our server', times.viewByOwn, times.bareView),
      row('view by name, beside the bare query', times.view, times.bareView),
      row("view by name, beside the minimal handler by Node's server", times.view, times.viewByNode),
      row('view by name, beside the minimal handler by our server', times.view, times.viewByOwn),
      row("minimal handler of the list by Node's server", times.listByNode, times.bareList),
      row('minimal handler of the list by our server', times.listByOwn, times.bareList),
      row('list, any page, beside the bare query', times.list, times.bareList),
      row("list, any page, beside the minimal handler by Node's server", times.list, times.listByNode),
      row('list, any page, beside the minimal handler by our server', times.list, times.listByOwn),
      row('create', create),
    ]
    table(printed)
    console.log(`\n${markdown(printed)}\n`)
  } finally {
    await server.stop()
    await byNode.stop()
    await byOwn.stop()
    await opened.close()
  }
}

/** @param whose The HTTP server: Node's bare one, or ours with its headers and bounds. */
const serveMinimal = (whose: 'node' | 'own', { location }: { location: string }): Promise<Served> =>
  start(process.execPath, ['--v8-pool-size=1', minimal, whose, location, viewText, listText])

const anyName = (round: number): string => vastName((round * 7919) % fleet.vast)

const viewText = `SELECT t.* FROM instance t JOIN project p ON p.id = t.project_id
  WHERE t.time_deleted IS NULL AND p.time_deleted IS NULL AND p.name = 'vast' AND t.name = $1`
const listText = `SELECT t.* FROM instance t WHERE t.project_id = $1 AND t.time_deleted IS NULL AND t.name > $2
  ORDER BY t.name LIMIT ${pageSize}`

async function calls(
  client: Client,
  { byNode, byOwn }: Record<'byNode' | 'byOwn', Client>,
  { dialect }: OpenDatabase,
  project: string,
) {
  const db = new Kysely<unknown>({ dialect })
  const ask = (text: string, bound: string[]) => db.executeQuery(CompiledQuery.raw(text, bound))
  const pages = await somePages(client)
  return inTurns(rounds, {
    ping: () => client.send('GET', '/v1/ping'),
    view: (round) => client.send('GET', `/v1/instances/${anyName(round)}?project=vast`),
    viewByNode: (round) => byNode.send('GET', `/0/${anyName(round)}`),
    viewByOwn: (round) => byOwn.send('GET', `/0/${anyName(round)}`),
    bareView: (round) => ask(viewText, [anyName(round)]),
    list: (round) => client.send('GET', pages[round % pages.length] ?? ''),
    listByNode: (round) => byNode.send('GET', `/1/${project}/${anyName(round)}`),
    listByOwn: (round) => byOwn.send('GET', `/1/${project}/${anyName(round)}`),
    bareList: (round) => ask(listText, [project, anyName(round)]),
  })
}

/** Page tokens of the first pages of one project. */
async function somePages(client: Client): Promise<string[]> {
  const first = `/v1/instances?project=vast&limit=${pageSize}`
  const pages = [first]
  for (let page = first; ;) {
    const { next_page, items } = await client.json<{ next_page: string | null; items: unknown[] }>(page)
    if (!next_page || items.length < pageSize || pages.length === 20) return pages
    page = `/v1/instances?page_token=${encodeURIComponent(next_page)}&limit=${pageSize}`
    pages.push(page)
  }
}
