import type { Services } from '../context/services.ts'
import type { Reconciler } from './loop.ts'

/**
 * Repairs rows written while the clock was ahead, which would otherwise wait or last until the clock catches
 * up.
 */
export type Repair = (services: Services, now: Date) => Promise<void>

const repairEveryMs = 60_000
/** A change in progress while the clock goes back may still write a time ahead; it has ended by then. */
const againAfterMs = 2000
/** Smaller jumps are not logged. */
const jumpMs = 1000

/** Answers by how many milliseconds the clock has jumped since it was last asked; 0 if by no more than the least. */
export function jumps(leastMs: number): (now: Date) => number {
  let offset: number | undefined
  return (now) => {
    const current = now.getTime() - performance.now()
    const jumpedMs = current - (offset ??= current)
    if (Math.abs(jumpedMs) <= leastMs) return 0
    offset = current
    return jumpedMs
  }
}

/**
 * Looks for rows in the future at start-up, every minute, as soon as this process's clock goes back, and again
 * shortly afterwards. Their true age is unknown, so delays start over, and sessions and codes end.
 */
export function clockWatch(repairs: readonly Repair[]): Reconciler {
  const jumpOf = jumps(jumpMs)
  let dueAt = -Infinity
  return {
    name: 'clock',
    everyMs: 1000,
    async run(services) {
      const now = services.clock()
      const running = performance.now()
      const jumpedMs = jumpOf(now)
      if (jumpedMs !== 0) {
        const by = { seconds: Math.round(jumpedMs / 1000) }
        services.log.warn(by, jumpedMs > 0 ? 'the clock jumped ahead' : 'the clock went back')
      }
      const wentBack = jumpedMs < 0
      if (!wentBack && running < dueAt) return
      for (const repair of repairs) await repair(services, now)
      dueAt = running + (wentBack ? againAfterMs : repairEveryMs)
      services.wake.jobs()
      services.wake.fleet()
    },
  }
}
