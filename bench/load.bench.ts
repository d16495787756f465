import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely } from 'kysely'
import { openDatabase, type OpenDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'
import { fill, fleet } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { reads } from './load/calls.ts'
import { startClients } from './load/clients.ts'
import { deepPages, known } from './load/known.ts'
import { churn } from './load/writes.ts'
import { markdown, ms, summary, table, type Times } from './measure.ts'

const concurrencies = [1, 10, 50]
const cellMs = Number(process.env['GANTRY_LOAD_CELL_MS'] ?? 1500)

type Row = Record<string, string | number>

/** The most frequent calls at several numbers of clients, next to the bare driver, on both databases. */
export default async function measure(): Promise<void> {
  const { vast, projects, users, perProject } = fleet
  console.log(
    `${(vast + projects * perProject).toLocaleString()} instances, ${projects} projects, ${users} users; server, clients and ` +
      `PostgreSQL share the processors of this machine; ${cellMs} ms a cell`,
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const postgres = await temporaryPostgres()
  try {
    const dataDir = path.join(folder, 'embedded')
    await onDatabase('pglite', () => openDatabase({ dataDir }), ['--data-dir', dataDir])
    if ('missing' in postgres) return console.log(`PostgreSQL is left out: ${postgres.missing}`)
    const url = await postgres.newDatabase()
    const blocks = path.join(folder, 'blocks')
    await onDatabase('postgres', () => openDatabase({ url }), ['--database', url, '--data-dir', blocks])
  } finally {
    if (!('missing' in postgres)) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onDatabase(name: string, open: () => Promise<OpenDatabase>, args: string[]): Promise<void> {
  const filling = await open()
  await fill(filling.dialect)
  const db = new Kysely<unknown>({ dialect: filling.dialect })
  const ids = await known(db)
  const bare = new Map<string, Times>()
  for (const { name: call, bare: query } of reads(ids, []))
    for (const clients of concurrencies)
      bare.set(`${call} ${clients}`, await timesOf(clients, (round) => query(round).execute(db)))
  await filling.close()

  const server = await serve(args)
  const clients = startClients(server.port)
  const rows: Row[] = []
  try {
    const admin = new Client(server.port)
    await admin.signIn()
    for (const { name: call, calls } of reads(ids, await deepPages(admin))) {
      await clients.repeat(1, cellMs / 3, calls)
      for (const count of concurrencies)
        rows.push(row(call, count, await clients.repeat(count, cellMs, calls), bare.get(`${call} ${count}`)))
    }
    for (const count of concurrencies)
      for (const [call, times] of await churn(clients, admin, count)) rows.push(row(call, count, times))
  } finally {
    clients.stop()
    await server.stop()
  }
  console.log(`\n## ${name}`)
  table(rows)
  const into = process.env['GANTRY_BENCH_MARKDOWN']
  if (into) writeFileSync(path.join(into, `load-${name}.md`), `${markdown(rows)}\n`)
}

/** The bare query at this concurrency, for less time than the calls: only the database must warm up. */
async function timesOf(clients: number, query: (round: number) => Promise<unknown>): Promise<Times> {
  const taken: number[] = []
  const begin = performance.now()
  let round = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - begin < cellMs / 3) {
        const from = performance.now()
        await query(round++)
        taken.push(performance.now() - from)
      }
    }),
  )
  return summary(taken, performance.now() - begin)
}

const row = (call: string, clients: number, times: Times, bare?: Times): Row => ({
  call,
  clients,
  p50: ms(times.p50),
  p95: ms(times.p95),
  p99: ms(times.p99),
  'per second': Math.round(times.perSecond),
  'bare p50': bare ? ms(bare.p50) : '',
  'bare per second': bare ? Math.round(bare.perSecond) : '',
  ratio: bare ? (times.p50 / bare.p50).toFixed(1) : '',
})
