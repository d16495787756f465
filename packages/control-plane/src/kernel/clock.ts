import type { Services } from './cx.ts'
import type { Reconciler } from './loop.ts'

/** By how much clocks of processes that share a database may differ, and a clock may be set back unnoticed. */
export const clockSkewMs = 60_000

/** The latest moment that a row may name as past: a later one was written while the clock was ahead. */
export const latestPast = (now: Date): Date => new Date(now.getTime() + clockSkewMs)

/** Puts right what was written while the clock was ahead: what would otherwise wait, or last, until it is that late. */
export type Mend = (services: Services, now: Date) => Promise<void>

const mendEveryMs = 60_000
/** A clock that is moved by less is not worth a word. */
const jumpMs = 1000

/**
 * Looks for rows of the future at the start, every minute, and as soon as the clock of this process goes back. What it
 * has done to others cannot be known: so waits begin anew, and what lets somebody in ends.
 */
export function clockWatch(mends: readonly Mend[]): Reconciler {
  let offset: number | undefined
  let mended = -Infinity
  return {
    name: 'clock',
    everyMs: 1000,
    async run(services) {
      const now = services.clock()
      const running = performance.now()
      const jumpedMs = now.getTime() - running - (offset ??= now.getTime() - running)
      if (Math.abs(jumpedMs) > jumpMs) {
        offset += jumpedMs
        const by = { seconds: Math.round(jumpedMs / 1000) }
        services.log.warn(by, jumpedMs > 0 ? 'the clock jumped ahead' : 'the clock went back')
      }
      if (jumpedMs >= -jumpMs && running - mended < mendEveryMs) return
      for (const mend of mends) await mend(services, now)
      mended = running
      if (jumpedMs >= -jumpMs) return
      services.wake.jobs()
      services.wake.fleet()
    },
  }
}

/** Whether so long has passed since; a clock that went back has, since nobody knows how long. */
export const isOver = (since: number, now: number, ms: number): boolean => now - since > ms || now < since
