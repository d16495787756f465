import { sql } from 'kysely'
import type { Row } from '../db/tables.ts'
import { type Cx, type Services, systemCx } from './cx.ts'
import { Refusal } from './refusal.ts'

/**
 * Does one job. A kill can repeat any line of it, so each is safe to run twice. Throwing means "again later";
 * a Refusal means "never": the job fails with its words.
 */
export type JobRunner = (cx: Cx, args: Record<string, unknown>) => Promise<void>
export interface JobKind {
  run: JobRunner
  maxAttempts: number
  /** Called once when the job failed for good, to put the world right. */
  gaveUp?: (cx: Cx, args: Record<string, unknown>, error: Error) => Promise<void>
}

/** How long a process may be silent about a job before another takes it. */
const leaseMs = 30_000
const backoffMs = (attempt: number): number => Math.min(60_000, 200 * 2 ** attempt)

type Claimed = Pick<Row<'job'>, 'id' | 'kind' | 'args' | 'attempts'>

/** Claims and runs what is due; returns how many it did, and when the next is due. */
export async function runDueJobs(
  services: Services,
  kinds: Readonly<Record<string, JobKind>>,
  limit = 16,
): Promise<number> {
  const claimed = await claim(services, limit)
  await Promise.all(claimed.map((job) => runJob(services, kinds, job)))
  return claimed.length
}

/** One queued job, now; nothing happens when somebody else has it already. */
export async function runJobNow(
  services: Services,
  kinds: Readonly<Record<string, JobKind>>,
  id: string,
): Promise<void> {
  const [job] = await claim(services, 1, id)
  if (job) await runJob(services, kinds, job)
}

/** `SKIP LOCKED` lets processes share the table; the lease gives a killed one's jobs back. */
async function claim(services: Services, limit: number, id?: string): Promise<Claimed[]> {
  const now = services.clock()
  const lease = new Date(now.getTime() + leaseMs)
  const { rows } = await sql<Claimed>`
    UPDATE job SET lease_until = ${lease}, attempts = attempts + 1 WHERE id IN (
      SELECT id FROM job WHERE state = 'pending' AND run_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
      ${id === undefined ? sql`` : sql`AND id = ${id}`}
      ORDER BY run_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id, kind, args, attempts`.execute(services.db)
  return rows
}

async function runJob(
  services: Services,
  kinds: Readonly<Record<string, JobKind>>,
  job: Claimed,
): Promise<void> {
  const kind = kinds[job.kind]
  const cx = systemCx(services, `job:${job.kind}`)
  const end = (state: 'done' | 'failed', failure: string | null) =>
    services.db
      .updateTable('job')
      .set({ state, failure, time_done: services.clock(), lease_until: null })
      .where('id', '=', job.id)
      .execute()
  try {
    if (!kind) throw new Refusal('Internal', `no job of kind ${job.kind} is known here`)
    await kind.run(cx, job.args)
    await end('done', null)
  } catch (error) {
    const final = error instanceof Refusal || job.attempts >= (kind?.maxAttempts ?? 1)
    services.log.warn(
      { err: error, job: job.id, kind: job.kind, attempt: job.attempts, final },
      'a job failed',
    )
    if (final) {
      await kind?.gaveUp?.(cx, job.args, error as Error)
      await end('failed', JSON.stringify(failureOf(error as Error, services.clock())))
      return
    }
    const again = new Date(services.clock().getTime() + backoffMs(job.attempts))
    await services.db
      .updateTable('job')
      .set({ run_at: again, lease_until: null })
      .where('id', '=', job.id)
      .execute()
  }
}

export const failureOf = (error: Error, now: Date) => ({
  code: error instanceof Refusal ? (error.code ?? 'InvalidRequest') : 'Internal',
  message: error.message,
  next_step:
    (error instanceof Refusal && error.extra.help) || 'Try again; if it keeps failing, tell the operator.',
  details: (error instanceof Refusal && error.extra.details) || null,
  time: now.toISOString(),
})

/** Finished jobs are kept for a week, for those who ask what happened. */
export async function forgetOldJobs(services: Services): Promise<void> {
  const before = new Date(services.clock().getTime() - 7 * 24 * 3600 * 1000)
  await services.db
    .deleteFrom('job')
    .where('state', '<>', 'pending')
    .where('time_done', '<', before)
    .execute()
}
