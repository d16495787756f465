import type { OpName } from '@gantry/api/registry'
import { repairSessions } from '../authz/session.ts'
import type { Repair } from '../work/clock.ts'
import type { Handlers } from '../pipeline/implement.ts'
import { jobsByName } from '../change/define-job.ts'
import { repairJobs } from '../work/jobs.ts'
import type { Reconciler } from '../work/loop.ts'
import { allJobs, allReconcilers, allRepairs } from './background.gen.ts'
import { allHandlers } from './handlers.gen.ts'

/** Every operation of the contract with its handler: a forgotten one does not compile. */
export const handlers: Handlers<OpName> = allHandlers

export const jobs = jobsByName(allJobs)

/** New ones for each process: some keep what they saw last. */
export const reconcilers: () => readonly Reconciler[] = allReconcilers

/** Repairs of stored times after the clock went back. */
export const repairs: readonly Repair[] = [
  repairJobs,
  repairSessions,
  ...allRepairs,
  (services) => services.fleet.repairTimes(),
]
