/** By how much clocks of processes that share a database may differ, and a clock may be set back unnoticed. */
export const clockSkewMs = 60_000

/** The latest moment that a row may name as past: a later one was written while the clock was ahead. */
export const latestPast = (now: Date): Date => new Date(now.getTime() + clockSkewMs)
