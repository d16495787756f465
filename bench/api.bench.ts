import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Dialect, Kysely, sql } from 'kysely'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'
import { fill, fleet, vastName } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { ms, table, time, type Times } from './measure.ts'

const rounds = Number(process.env['GANTRY_BENCH_ROUNDS'] ?? 2000)
const pageSize = 50
const GiB = 1024 ** 3

/** List, view and create over HTTP, next to the same query through the bare driver, on both databases. */
export default async function measure(): Promise<void> {
  console.log(`${fleet.vast.toLocaleString()} instances in one project; one client; ${rounds} rounds`)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  try {
    await onDatabase('pglite', () => openDatabase({ dataDir }), ['--data-dir', dataDir])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  const postgres = await temporaryPostgres()
  if ('missing' in postgres) return console.log(`PostgreSQL is left out: ${postgres.missing}`)
  const blocks = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  try {
    const url = await postgres.newDatabase()
    await onDatabase('postgres', () => openDatabase({ url }), ['--database', url, '--data-dir', blocks])
  } finally {
    await postgres.stop()
    rmSync(blocks, { recursive: true, force: true })
  }
}

async function onDatabase(
  name: string,
  open: () => Promise<{ dialect: Dialect; close: () => Promise<void> }>,
  args: string[],
): Promise<void> {
  const filling = await open()
  await fill(filling.dialect)
  const bare = await bareQueries(filling.dialect)
  const minimal = await minimalHandler(filling.dialect)
  await filling.close()

  const server = await serve(args)
  try {
    const client = new Client(server.port)
    await client.signIn()
    const tokens = await somePages(client)
    const list = await time(rounds, (round) => client.send('GET', tokens[round % tokens.length] ?? ''))
    const view = await time(rounds, (round) =>
      client.send('GET', `/v1/instances/${anyName(round)}?project=vast`),
    )
    const ping = await time(rounds, () => client.send('GET', '/v1/ping'))
    const create = await time(300, (round) =>
      client.send('POST', '/v1/instances?project=playground', {
        name: `made-${round}-${Math.random().toString(36).slice(2)}`,
        description: '',
        ncpus: 1,
        memory: GiB,
        hostname: 'made',
        start: false,
      }),
    )
    const row = (what: string, times: Times, beside?: Times) => ({
      database: name,
      call: what,
      p50: ms(times.p50),
      p95: ms(times.p95),
      'per second': Math.round(times.perSecond),
      'bare p50': beside ? ms(beside.p50) : '',
      ratio: beside ? (times.p50 / beside.p50).toFixed(2) : '',
    })
    table([
      row('ping (no database)', ping),
      row('list, any page', list, bare.list),
      row('view by name', view, bare.view),
      row('view by name, beside the minimal handler', view, minimal),
      row('create', create),
    ])
  } finally {
    await server.stop()
  }
}

const anyName = (round: number): string => vastName((round * 7919) % fleet.vast)

/** The same rows by the same driver in the same run: the lower bound for any server. */
async function bareQueries(dialect: Dialect): Promise<{ list: Times; view: Times }> {
  const db = new Kysely<unknown>({ dialect })
  return {
    list: await time(rounds, (round) =>
      sql`SELECT t.* FROM instance t JOIN project p ON p.id = t.project_id WHERE ${inVast} AND t.name > ${anyName(round)}
        ORDER BY t.name LIMIT ${pageSize}`.execute(db),
    ),
    view: await time(rounds, (round) => viewed(anyName(round)).execute(db)),
  }
}

/** The view's query behind an HTTP server that does nothing else, in this process: what any server needs for a view. */
async function minimalHandler(dialect: Dialect): Promise<Times> {
  const db = new Kysely<unknown>({ dialect })
  const server = createServer((request, response) => {
    void viewed(decodeURIComponent(request.url?.slice(1) ?? ''))
      .execute(db)
      .then(({ rows: [row] }) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(row)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new Client((server.address() as AddressInfo).port)
  try {
    return await time(rounds, (round) => client.send('GET', `/${anyName(round)}`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const inVast = sql`t.time_deleted IS NULL AND p.time_deleted IS NULL AND p.name = ${'vast'}`

const viewed = (name: string) =>
  sql`SELECT t.* FROM instance t JOIN project p ON p.id = t.project_id WHERE ${inVast} AND t.name = ${name}`

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
