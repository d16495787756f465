/** Spans of time up to now, or up to this morning, by the word in the URL. */
export const periods = {
  '24h': 'Last 24 hours',
  night: 'Last night',
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const
export type Period = keyof typeof periods

export const isPeriod = (word: string | undefined): word is Period =>
  word !== undefined && Object.hasOwn(periods, word)

interface Span {
  startTime: Date
  /** Absent if the period has not ended. */
  endTime?: Date
}

/** Working hours, as most people have them: a night is what is between two days of them. */
const evening = 18
const morning = 8

/** The bounds of a period in the reader's time zone. They change with the hour at most, as the query's key. */
export function spanOf(period: Period, now: Date): Span {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  switch (period) {
    case '24h':
      return { startTime: at(-1, now.getHours()) }
    case 'night':
      // Before the morning, the night that is not over.
      return now.getHours() < morning
        ? { startTime: at(-1, evening) }
        : { startTime: at(-1, evening), endTime: at(0, morning) }
    case 'today':
      return { startTime: at(0, 0) }
    case 'yesterday':
      return { startTime: at(-1, 0), endTime: at(0, 0) }
    case '7d':
      return { startTime: at(-7, 0) }
    case '30d':
      return { startTime: at(-30, 0) }
  }
}
