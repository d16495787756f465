import { type Jobs, runJob } from './jobs.ts'
import type { ClaimedJob, Services } from '../context/services.ts'

const limits = {
  /** Many proxies give up on an answer after a minute, and their users would take the work for failed. */
  answerMs: 50_000,
  /**
   * Jobs of this process that may outlive their requests, which `requests_at_once` limits no longer: each may copy a
   * whole disk. Beyond that, a request waits for its job.
   */
  maxOutliving: 64,
}

/** Runs jobs that requests claimed. */
export function requestedJobs(kinds: Jobs, { answerMs, maxOutliving } = limits) {
  const running = new Set<Promise<void>>()
  let outliving = 0

  return {
    /** Resolves when the job is done, or when its request should be answered nevertheless. */
    async run(services: Services, job: ClaimedJob, { toTheEnd = false } = {}): Promise<void> {
      const done = runJob(services, kinds, job).finally(() => running.delete(done))
      running.add(done)
      if (toTheEnd) return done
      if (await endsWithin(done, answerMs)) return
      if (outliving >= maxOutliving) return done
      outliving++
      void done.finally(() => outliving--)
    },

    /** Resolves when no job is running, so that the database is closed after them. */
    finish: () => Promise.all(running),
  }
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const isDone = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return isDone
}
