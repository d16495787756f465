const dayMs = 86_400_000

/** A day in UTC, as 2026-10-31: in the order of texts. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const dayAfter = (day: string, by = 1): string => dayOf(startOf(day) + by * dayMs)
export const endOf = (day: string): number => startOf(day) + dayMs

/** For how long after a day's end its last change records may still be committed. */
const settlingMs = 15 * 60_000

/** The last day whose change records are all there. */
export const lastSettled = (now: Date): string => dayOf(now.getTime() - settlingMs - dayMs)
