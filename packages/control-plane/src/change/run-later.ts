import { change, fleetScope } from './change.ts'
import type { Cx } from '../context/cx.ts'
import type { Job } from './define-job.ts'

/** The wait (ms) after work has failed for good that nothing else repeats: the operator may mend its cause. */
export const retryMs = 600_000

/** Queues a job of its own, because waiting would use up the attempts of the current one. */
export const runLater = <Args>(cx: Cx, job: Job<Args>, args: NoInfer<Args>, inMs: number): Promise<string> =>
  change(cx, fleetScope, (tx) => tx.job(job, args, new Date(cx.now().getTime() + inMs)))
