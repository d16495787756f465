import { formatNumber } from '#/ui/data/format.ts'
import type { Alert } from './queries.ts'

/** What an alert tells, in one line, from its data as it was sent; empty for data without such a line. */
export function toldText({ alert, isWithheld }: Pick<Alert, 'alert' | 'isWithheld'>): string {
  if (isWithheld) return 'Withheld'
  if (typeof alert !== 'object' || alert === null) return ''
  const { message, query, name } = alert as { message?: unknown; query?: unknown; name?: unknown }
  return [message, query, name].find((text): text is string => typeof text === 'string') ?? ''
}

/** `2 delivered, 1 failed`. */
export function deliveredText(deliveries: Alert['deliveries']): string {
  if (!deliveries) return ''
  const { delivered, failed, pending } = deliveries
  const counts = [
    [delivered, 'delivered'],
    [failed, 'failed'],
    [pending, 'pending'],
  ] as const
  return (
    counts
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${formatNumber(count)} ${word}`)
      .join(', ') || 'No receiver'
  )
}
