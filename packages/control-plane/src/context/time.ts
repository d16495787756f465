/**
 * How far the clocks of processes that share a database may differ, and how far a clock may go back
 * unnoticed.
 */
export const clockSkewMs = 60_000

/** The latest time that a row may give as past: a later one was written while the clock was ahead. */
export const latestPast = (now: Date): Date => new Date(now.getTime() + clockSkewMs)

/** Whether `ms` have passed since; true if the clock went back, because the real duration is unknown. */
export const isOver = (since: number, now: number, ms: number): boolean => now - since > ms || now < since
