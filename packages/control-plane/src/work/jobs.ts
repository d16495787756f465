import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../db/tables.ts'
import { latestPast } from '../context/time.ts'
import { systemCx } from '../context/cx.ts'
import type { ClaimedJob, Services } from '../context/services.ts'
import type { Job } from '../change/define-job.ts'
import { jobLeaseMs } from '../change/job-table.ts'
import { RenewedLease } from './lease.ts'
import type { Reconciler } from './loop.ts'
import { fullRefusal } from '../context/out-of-space.ts'
import { Refusal } from '../context/refusal.ts'
import { daysAgo, forgetOlder } from '../db/retention.ts'

export type Jobs = Readonly<Record<string, Job>>

const backoffMs = (attempt: number): number => Math.min(60_000, 200 * 2 ** attempt)
/**
 * Concurrent jobs per process. Long ones have slots of their own, so that all others run beside any number of them, and
 * one owner holds some of these at most: however many disks one person copies, others wait for none of them.
 */
const slots = { long: 8, longEach: 3, short: 16 }

/** Runs due jobs. A slow job does not block the others: it continues while the loop looks for more. */
export function jobLoop(kinds: Jobs): Reconciler {
  const running = { long: new Map<Promise<void>, string>(), short: new Map<Promise<void>, string>() }
  return {
    name: 'jobs',
    everyMs: 250,
    async run(services) {
      const free = { long: slots.long - running.long.size, short: slots.short - running.short.size }
      for (const job of await claim(services, [...running.long.values()], free)) {
        const lane = running[job.is_long ? 'long' : 'short']
        const done = runJob(services, kinds, job).finally(() => {
          lane.delete(done)
          services.wake.jobs()
        })
        lane.set(done, job.owner)
      }
    },
    finish: () => Promise.all([...running.long.keys(), ...running.short.keys()]),
  }
}

/** Each claim counts as an attempt, by which its holder recognises it. */
export const jobLease = new RenewedLease('job', {
  key: 'id',
  token: 'attempts',
  ms: jobLeaseMs,
  work: { state: 'pending' },
})

async function claim(
  services: Services,
  longOwners: readonly string[],
  free: { long: number; short: number },
): Promise<Row<'job'>[]> {
  if (free.long + free.short === 0) return []
  const now = services.clock()
  const due = sql`state = 'pending' AND run_at <= ${now} AND ${jobLease.isFree(now)}`
  // An array evaluates the subquery once: with `IN (SELECT …)` a plan may run it repeatedly, each time
  // skipping the rows it locked before.
  const short = sql`ARRAY(SELECT id FROM job WHERE ${due} AND NOT is_long
    ORDER BY run_at LIMIT ${free.short} FOR UPDATE SKIP LOCKED)`
  const long = sql`ARRAY(SELECT id FROM job WHERE id = ANY (ARRAY(${longInTurn(due, longOwners)} LIMIT ${free.long}))
    AND ${due} FOR UPDATE SKIP LOCKED)`
  return jobLease.claim(services.db, now, sql`id = ANY (${long} || ${short})`, {
    set: { attempts: sql`attempts + 1` },
  })
}

/**
 * Long jobs that are due: the first of each owner, then the second of each, where those that run here count. It reads a
 * few rows for each owner, by index, however many jobs one of them has.
 */
const longInTurn = (due: RawBuilder<unknown>, running: readonly string[]) => sql`
  WITH RECURSIVE waiting (owner) AS (
    (SELECT owner FROM job WHERE state = 'pending' AND is_long ORDER BY owner LIMIT 1)
    UNION ALL
    SELECT (SELECT owner FROM job WHERE state = 'pending' AND is_long AND owner > waiting.owner ORDER BY owner LIMIT 1)
    FROM waiting WHERE waiting.owner IS NOT NULL)
  SELECT next.id FROM waiting, LATERAL (
    SELECT first.id, first.run_at, row_number() OVER (ORDER BY first.run_at) +
      (SELECT count(*) FROM unnest(${running}::text[]) AS place (owner) WHERE place.owner = waiting.owner) AS turn
    FROM (SELECT id, run_at FROM job WHERE owner = waiting.owner AND is_long AND ${due}
      ORDER BY run_at LIMIT ${slots.longEach}) AS first) AS next
  WHERE turn <= ${slots.longEach} ORDER BY turn, run_at`

/** Runs a claimed job. Failures are stored in its row, so this never throws. */
export async function runJob(services: Services, kinds: Jobs, job: ClaimedJob): Promise<void> {
  try {
    await jobLease.during(services, job, () => attempt(services, kinds, job))
  } catch (error) {
    // The failure could not be stored either: the lease expires, and the job runs again.
    services.log.error({ err: error, job: job.id, kind: job.kind }, 'could not store the outcome of a job')
  }
}

async function attempt(services: Services, kinds: Jobs, job: ClaimedJob): Promise<void> {
  const kind = kinds[job.kind]
  const cx = systemCx(services, `job:${job.kind}`)
  const end = (state: 'done' | 'failed', failure: string | null) =>
    jobLease.leave(services.db, job, { state, failure, time_done: services.clock() })
  try {
    if (!kind) throw new Refusal('Internal', `no job of kind ${job.kind} is known here`)
    const again = await kind.run(cx, job.args)
    if (again) await putOff(services, job, again.inMs)
    else await end('done', null)
  } catch (error) {
    // What the stop ended is no failed attempt: the next process begins it again.
    if (services.ending.aborted && error === services.ending.reason) {
      await jobLease.leave(services.db, job, { attempts: job.attempts - 1 })
      return
    }
    const refused = error instanceof Refusal && error.code !== 'ServiceNotAvailable'
    const final = refused || job.attempts >= (kind?.maxAttempts ?? 1)
    services.log.warn(
      { err: error, job: job.id, kind: job.kind, attempt: job.attempts, final },
      'a job failed',
    )
    if (final) {
      // An expired lease holder must not clean up what the current one is making.
      if (!(await jobLease.renew(services.db, job, services.clock()))) return
      await kind?.gaveUp(cx, job.args, error as Error)
      const { message } = error as Error
      await end('failed', JSON.stringify(failureOf(error as Error, services.clock(), message)))
      return
    }
    await putOff(services, job, backoffMs(job.attempts))
  }
}

async function putOff({ db, clock }: Services, job: ClaimedJob, ms: number): Promise<void> {
  await jobLease.leave(db, job, { run_at: new Date(clock().getTime() + ms) })
}

/** A refusal as the reason for a failure. */
export const reasonOf = ({ code, message, extra }: Refusal, now: Date) => ({
  code: code ?? 'InvalidRequest',
  message,
  next_step: extra.help,
  details: extra.details ?? null,
  time: now.toISOString(),
})

export const unexpected = (message: string): Refusal =>
  new Refusal('Internal', message, { help: 'Try again. If it keeps failing, contact the operator.' })

/**
 * Why work failed, for those who see its object. An unexpected error shows nothing of itself, as in responses, because
 * it may name files of the host: the log has it, and the record of the job, which only operators see.
 */
export const failureOf = (error: Error, now: Date, otherwise: string) =>
  reasonOf(error instanceof Refusal ? error : (fullRefusal(error) ?? unexpected(otherwise)), now)

/** Fixes jobs that the clock postponed: attempted ones become due, others keep their original delay. */
export async function repairJobs({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  await sql`UPDATE job SET time_created = ${now},
      run_at = CASE WHEN attempts > 0 THEN ${now}::timestamptz ELSE ${now}::timestamptz + (run_at - time_created) END
    WHERE state = 'pending' AND time_created > ${past}`.execute(db)
  await sql`UPDATE job SET run_at = ${now} WHERE state = 'pending' AND attempts > 0
    AND run_at > ${new Date(past.getTime() + backoffMs(Infinity))}`.execute(db)
  await jobLease.repair(db, now)
}

/** Finished jobs are kept for diagnosis. */
export const forgetOldJobs = (services: Services): Promise<void> =>
  forgetOlder(services, {
    table: 'job',
    time: 'time_done',
    before: daysAgo(services, services.settings.retention.job_days),
    where: sql`t.state <> 'pending'`,
  })
