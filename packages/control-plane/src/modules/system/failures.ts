import type { FailureReason } from '@gantry/api/extensions'
import type { SystemIssue } from '@gantry/api/system/system'
import { issueLimits } from '@gantry/api/system/system.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { isRefusedByOwnLimit } from '../silo/quota.ts'
import { hoursBefore, type IssueSource, type Looking, issueOf, readLimit, touched } from './issue.ts'

/**
 * A refusal of what a user asked, such as a file that is no image, or by a limit of their silo or project. It is shown
 * with its object.
 */
const isOwners = sql<boolean>`(coalesce(failure ->> 'code' NOT IN ('Internal', 'InsufficientCapacity', 'ServiceNotAvailable'), false)
  OR ${isRefusedByOwnLimit('failure')})`

const failedJobs = (cx: Looking) =>
  cx.db
    .selectFrom('job')
    .select(['id', 'kind', 'failure', 'time_created', 'time_done'])
    .where('state', '=', 'failed')
    .where((eb) => eb.not(isOwners))
    .orderBy('time_done', 'desc')
    .orderBy('id')
    .limit(readLimit)

type FailedJob = Pick<Row<'job'>, 'id' | 'kind' | 'failure' | 'time_created' | 'time_done'>

const jobView = (job: FailedJob, ended: Date | null): SystemIssue =>
  issueOf('failed_job', job.id, {
    severity: 'warning',
    since: job.time_done,
    ended,
    message: `Job ${job.kind} failed: ${job.failure?.message ?? 'no reason was kept'}`,
    next_step: job.failure?.next_step ?? 'See the server log for this job.',
    touches: [touched('job', job.id, job.kind)],
  })

/** A failed job is never repaired: after a day it counts as past, and its record is kept for a week. */
export const jobIssues: IssueSource = {
  kind: 'failed_job',
  open: async (cx) => {
    const since = hoursBefore(cx.now(), issueLimits.jobHours)
    const rows = await failedJobs(cx).where('time_done', '>', since).execute()
    return rows.map((job) => jobView(job, null))
  },
  past: async (cx) => {
    const since = hoursBefore(cx.now(), issueLimits.jobHours)
    const rows = await failedJobs(cx).where('time_done', '<=', since).execute()
    return rows.map((job) => {
      const done = job.time_done
      return jobView(job, done && new Date(done.getTime() + issueLimits.jobHours * 3_600_000))
    })
  },
}

/** The next step for operators, if the failure tells its owner to contact them. */
const ownSteps: Partial<Record<string, string>> = {
  InsufficientCapacity: 'Make more sleds provisionable, or ask the users of the silo to free capacity.',
  boot_failure: 'End any fault of this instance, then start it again.',
}

/** The reason and the next step of a failed instance, for the operator. */
function reasonOf(failure: FailureReason | null): { reason: string; next_step: string } {
  if (!failure) return { reason: 'no reason was kept', next_step: 'Start the instance again.' }
  return { reason: failure.message, next_step: ownSteps[failure.code] ?? failure.next_step }
}

export const instanceIssues: IssueSource = {
  kind: 'failed_instance',
  open: async (cx) => {
    const rows = await cx.db
      .selectFrom('instance')
      .innerJoin('project', 'project.id', 'instance.project_id')
      .innerJoin('silo', 'silo.id', 'project.silo_id')
      .select([
        'instance.id',
        'instance.name',
        'instance.failure',
        'instance.time_run_state_updated as since',
      ])
      .select(['project.name as project_name', 'silo.name as silo_name'])
      .where('instance.run_state', '=', 'failed')
      .where('instance.time_deleted', 'is', null)
      .where((eb) => eb.not(isRefusedByOwnLimit('instance.failure')))
      .orderBy('instance.time_run_state_updated', 'desc')
      .orderBy('instance.id')
      .limit(readLimit)
      .execute()
    return rows.map(({ id, name, failure, since, ...names }) => {
      const { reason, next_step } = reasonOf(failure)
      return issueOf('failed_instance', id, {
        severity: 'critical',
        since,
        message: `Instance ${name} failed: ${reason}`,
        next_step,
        touches: [touched('instance', id, name, names)],
      })
    })
  },
}
