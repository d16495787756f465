import { appliedMigrations, foreignMigration, knownMigrations } from '@gantry/control-plane/db/migrate'
import { sealedColumns } from '@gantry/control-plane/db/sealed'
import type { Tables } from '@gantry/control-plane/db/tables'
import { fleetProblem } from '@gantry/control-plane/fleet/identity'
import { type Kysely, sql } from 'kysely'
import { openSource } from '../backup/source.ts'
import type { DatabaseLocation } from '../database/open.ts'
import { aesSeal } from '../seal/aes-seal.ts'
import type { SealKey } from '../seal/seal-keys.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Leases last ten seconds, and processes compare them with their own clocks. */
const SKEW_WARNING_MS = 1000
const SKEW_PROBLEM_MS = 5000

/** All checks that need an open database; only the first if it cannot be opened. */
export async function databaseChecks(
  location: DatabaseLocation,
  keys: readonly SealKey[],
  driver: string,
): Promise<Finding[]> {
  let source: Awaited<ReturnType<typeof openSource>>
  try {
    source = await openSource(location)
  } catch (error) {
    return [
      problem(
        'database',
        (error as Error).message,
        'The server needs it to start; gantry doctor says when it is well.',
      ),
    ]
  }
  try {
    const { db } = source
    const applied = await appliedMigrations(db)
    const schema = migrationState(applied)
    const isCurrent = schema.state === 'ok' && applied.length > 0
    const contents = isCurrent ? [await sealState(db, keys), await fleetState(db, driver)] : []
    return [await serverVersion(db), schema, ...contents, ...(await clocks(db, applied))]
  } finally {
    await source.close()
  }
}

/** Whether the given keys open every sealed secret in the database. */
export async function sealState(db: Kysely<Tables>, keys: readonly SealKey[]): Promise<Finding> {
  const check = 'keys'
  const seal = aesSeal(keys)
  let old = 0
  for (const { table, column } of sealedColumns) {
    const { rows } = await sql<{ text: string }>`
      SELECT ${sql.ref(column)} AS text FROM ${sql.table(table)}`.execute(db)
    for (const { text } of rows) {
      const failure = await seal.open(text).catch((error: Error) => error)
      if (failure instanceof Error) return problem(check, failure.message, 'No server starts without it.')
      if (!seal.isCurrent(text)) old += 1
    }
  }
  if (keys.length === 0) {
    return warning(
      check,
      'secrets in the database are unsealed: a copy of the database reveals them',
      'Make a key (openssl rand -base64 32) and name its file with --key-file (docs/production.md).',
    )
  }
  if (old > 0) return ok(check, `${old} secrets are sealed with the first key at the next start`)
  return ok(check, 'every secret is sealed with the first key')
}

/** Whether the database belongs to the fleet that the server is started with. */
async function fleetState(db: Kysely<Tables>, driver: string): Promise<Finding> {
  const check = 'database fleet'
  const found = await fleetProblem(db, driver)
  return found
    ? problem(check, found.message, found.advice)
    : ok(check, `no other fleet than ${driver} uses it`)
}

async function serverVersion(db: Kysely<Tables>): Promise<Finding> {
  const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(db)
  return ok('database', `PostgreSQL ${rows[0]?.server_version} answers`)
}

export function migrationState(applied: readonly string[]): Finding {
  const check = 'schema'
  const foreign = foreignMigration(applied)
  if (foreign !== undefined) {
    return problem(
      check,
      `a newer version of Gantry wrote it (${foreign})`,
      'Install that version or a newer one, or restore a backup of before the upgrade.',
    )
  }
  if (applied.length === 0) return ok(check, 'there is none yet; a start makes it')
  const missing = knownMigrations.filter((id) => !applied.includes(id))
  if (missing.length === 0) return ok(check, `up to date (${applied.at(-1)})`)
  return warning(
    check,
    `${missing.length} steps behind this version (${missing.join(', ')})`,
    'Take a backup; the next start brings it up to date.',
  )
}

async function clocks(db: Kysely<Tables>, applied: readonly string[]): Promise<Finding[]> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db)
  const after = Date.now()
  const middle = (before + after) / 2
  const found = [clockSkew((rows[0]?.now.getTime() ?? middle) - middle)]
  if (applied.length === 0) return found
  const newest = await sql<{ time: Date | null }>`SELECT max(time) AS time FROM change`.execute(db)
  return [...found, newestRecord(newest.rows[0]?.time ?? null, new Date())]
}

/** Times are stored as instants in UTC, so zones are reported but do not matter. */
export function clockSkew(ms: number): Finding {
  const check = 'clock'
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const apart = `${(Math.abs(ms) / 1000).toFixed(1)} s`
  const advice = 'Let both machines keep time by NTP: leases of jobs are judged by it.'
  if (Math.abs(ms) >= SKEW_PROBLEM_MS) return problem(check, `${apart} away from the database's`, advice)
  if (Math.abs(ms) >= SKEW_WARNING_MS) return warning(check, `${apart} away from the database's`, advice)
  return ok(check, `as the database's; the time zone (${zone}) matters to nothing`)
}

/** A record in the future means that the clock was ahead when it was written, or is behind now. */
export function newestRecord(newest: Date | null, now: Date): Finding {
  const check = 'newest record'
  if (newest === null) return ok(check, 'there is none yet')
  const ahead = newest.getTime() - now.getTime()
  if (ahead < SKEW_PROBLEM_MS) return ok(check, newest.toISOString())
  return problem(
    check,
    `${newest.toISOString()} is ${(ahead / 1000).toFixed(0)} s in the future`,
    'Set the clock of this machine right before the server starts: jobs and sessions wait for times to come.',
  )
}
