import { type RawBuilder, sql } from 'kysely'
import type { NewRow } from '../db/tables.ts'
import type { Cx } from '../context/cx.ts'
import type { Job } from './define-job.ts'
import type { ClaimedJob } from '../context/services.ts'

/**
 * How long a process may be silent about a job before another takes over; a crash delays a job by this much.
 */
export const jobLeaseMs = 10_000

/** A new job, owned by the caller, or by its project if a job of the platform queues it. */
export function newJob(
  cx: Cx,
  job: Job,
  args: unknown,
  { runAt, project_id }: { runAt: Date; project_id: string | null },
): NewRow<'job'> & { id: string } {
  return {
    id: cx.newId(),
    kind: job.name,
    args: JSON.stringify(args),
    state: 'pending',
    run_at: runAt,
    lease_until: null,
    failure: null,
    time_created: cx.now(),
    time_done: null,
    owner: (cx.actor.kind === 'silo_user' ? cx.actor.user_id : project_id) ?? '',
    is_long: job.isLong,
  }
}

/** Claims the jobs that match the condition until the lease ends. */
export const claimJobs = (now: Date, which: RawBuilder<unknown>): RawBuilder<ClaimedJob> => sql<ClaimedJob>`
  UPDATE job SET lease_until = ${new Date(now.getTime() + jobLeaseMs)}, attempts = attempts + 1
  WHERE ${which} RETURNING id, kind, args, attempts`
