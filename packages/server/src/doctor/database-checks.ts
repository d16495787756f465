import { appliedMigrations, foreignMigration, knownMigrations } from '@gantry/control-plane/db/migrate'
import type { Tables } from '@gantry/control-plane/db/tables'
import { type Kysely, sql } from 'kysely'
import { openSource } from '../backup/source.ts'
import type { DatabasePlace } from '../database/open.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Leases are of ten seconds, and processes judge them by their own clocks. */
const SKEW_WARNING_MS = 1000
const SKEW_PROBLEM_MS = 5000

/** Everything that takes an open database; only the first where it cannot be opened. */
export async function databaseChecks(place: DatabasePlace): Promise<Finding[]> {
  let source: Awaited<ReturnType<typeof openSource>>
  try {
    source = await openSource(place)
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
    return [await serverVersion(db), migrationState(applied), ...(await clocks(db, applied))]
  } finally {
    await source.close()
  }
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

/** Times are instants and kept in UTC, so zones are told and matter to nothing. */
export function clockSkew(ms: number): Finding {
  const check = 'clock'
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const apart = `${(Math.abs(ms) / 1000).toFixed(1)} s`
  const advice = 'Let both machines keep time by NTP: leases of jobs are judged by it.'
  if (Math.abs(ms) >= SKEW_PROBLEM_MS) return problem(check, `${apart} away from the database's`, advice)
  if (Math.abs(ms) >= SKEW_WARNING_MS) return warning(check, `${apart} away from the database's`, advice)
  return ok(check, `as the database's; the time zone (${zone}) matters to nothing`)
}

/** A record of the future means that the clock was ahead when it was written, or is behind now. */
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
