import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { Kysely, sql } from 'kysely'
import type { Tables } from '../packages/control-plane/src/db/tables.ts'
import { forgetOldAudit } from '../packages/control-plane/src/change/audit.ts'
import { forgetOldChanges } from '../packages/control-plane/src/stream/publisher.ts'
import { defaultSettings } from '../packages/control-plane/src/settings.ts'
import { testServices } from '../packages/control-plane/src/testing/services.ts'
import { openDatabase, type OpenDatabase } from '../packages/server/src/database/open.ts'
import { temporaryPostgres } from '../packages/server/src/testing/temporary-postgres.ts'
import { calls, furnish, listed } from './age/calls.ts'
import { age, keptDays } from './age/fill.ts'
import { seedDemo } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { inTurns, markdown, ms, table, type Times } from './measure.ts'

/** As many changes, and as many audit records; the embedded database gets a tenth. */
const rows = Number(process.env['GANTRY_BENCH_ROWS'] ?? 10_000_000)
const rounds = Number(process.env['GANTRY_BENCH_ROUNDS'] ?? 200)

type Measured = Map<string, Times>

/** The most used calls before and after a year of changes and audit records, and what deleting a day of them takes. */
export default async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const postgres = await temporaryPostgres()
  try {
    const dataDir = path.join(folder, 'embedded')
    await onDatabase('embedded', rows / 10, () => openDatabase({ dataDir }), ['--data-dir', dataDir])
    if ('missing' in postgres) return console.log(`PostgreSQL is left out: ${postgres.missing}`)
    const url = await postgres.newDatabase()
    const args = ['--database', url, '--data-dir', path.join(folder, 'blocks')]
    await onDatabase('PostgreSQL', rows, () => openDatabase({ url }), args)
  } finally {
    if (!('missing' in postgres)) await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onDatabase(
  name: string,
  count: number,
  open: () => Promise<OpenDatabase>,
  args: string[],
): Promise<void> {
  await on(open, async (db, dialect) => {
    await seedDemo(dialect)
    await sql`UPDATE silo_quotas SET cpus = 1000000, memory = ${2 ** 52}, storage = ${2 ** 52}`.execute(db)
  })
  const before = await served(args, furnish)
  const begin = performance.now()
  await on(open, (db) => age(db, count))
  console.log(
    `\n## ${name}: ${count.toLocaleString()} changes and as many audit records, written in ` +
      `${Math.round((performance.now() - begin) / 1000)} s; load ${loadavg()[0]?.toFixed(1)}`,
  )
  const after = await served(args)
  const list = after.get(listed)
  const printed = Object.keys(calls).map((call) => row(call, before.get(call), after.get(call), list))
  table(printed)
  console.log(`\n${markdown(printed)}\n`)
  await on(open, (_, dialect) => forgetDay(new Kysely<Tables>({ dialect })))
}

async function on<Result>(
  open: () => Promise<OpenDatabase>,
  run: (db: Kysely<unknown>, dialect: OpenDatabase['dialect']) => Promise<Result>,
): Promise<Result> {
  const { dialect, close } = await open()
  try {
    return await run(new Kysely<unknown>({ dialect }), dialect)
  } finally {
    await close()
  }
}

async function served(
  args: string[],
  prepare: (client: Client) => Promise<void> = async () => {},
): Promise<Measured> {
  const server = await serve(args)
  try {
    const client = new Client(server.port)
    await client.signIn()
    await prepare(client)
    // In turns: what else the machine does slows all of them alike, so that their ratios hold.
    const bound = Object.entries(calls).map(([name, call]) => [name, (round: number) => call(client, round)])
    return new Map(Object.entries(await inTurns(rounds, Object.fromEntries(bound))))
  } finally {
    await server.stop()
  }
}

const row = (call: string, before?: Times, after?: Times, list?: Times): Record<string, string> => ({
  call,
  'p50 before': ms(before?.p50 ?? 0),
  'p50 after': ms(after?.p50 ?? 0),
  'p95 before': ms(before?.p95 ?? 0),
  'p95 after': ms(after?.p95 ?? 0),
  'p95 of a list': list && after ? `× ${(after.p95 / list.p95).toFixed(1)}` : '',
})

/** Deletes the oldest day of both. */
async function forgetDay(db: Kysely<Tables>): Promise<void> {
  const days = keptDays - 1
  const settings = {
    ...defaultSettings,
    audit: { ...defaultSettings.audit, retention_days: days, changes_retention_days: days },
  }
  const services = testServices({ db, settings })
  for (const [what, forget] of [
    ['changes', forgetOldChanges],
    ['audit records', forgetOldAudit],
  ] as const) {
    const size = async () => {
      const { rows: counted } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM ${sql.table(what === 'changes' ? 'change' : 'audit')}`.execute(db)
      return counted[0]?.n ?? 0
    }
    const all = await size()
    const begin = performance.now()
    await forget(services)
    const taken = performance.now() - begin
    console.log(`${(all - (await size())).toLocaleString()} ${what} deleted in ${ms(taken)}`)
  }
}
