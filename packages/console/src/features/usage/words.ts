import { meters, meterWords, monthBeside, monthOf } from '@gantry/api/usage/usage.rules'
import { formatNumber } from '#/ui/data/format.ts'
import type { UsageLine, UsageReport, UsageScope, UsageSearch } from './queries.ts'

export const amountText = (hours: number): string => formatNumber(Math.round(hours * 100) / 100)
export const costText = (cost: number, currency: string): string =>
  `${cost.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}${currency && ` ${currency}`}`

/** Whether anything has a price. */
export const isPriced = ({ prices }: Pick<UsageReport, 'prices'>): boolean =>
  meters.some((meter) => prices[meter] > 0)

export const monthText = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })

const monthsBack = 36
/** The months on offer, the latest first. */
export function monthsWith(chosen: string): string[] {
  const now = monthOf(new Date())
  const all = Array.from({ length: monthsBack }, (_, back) => monthBeside(now, -back))
  return all.includes(chosen) ? all : [...all, chosen]
}

/** What the lines are. */
export const lineHead = (scope: UsageScope, { tag, silo }: UsageSearch): string =>
  scope.of === 'fleet' ? (silo ? 'Project' : 'Silo') : tag ? `Tag ${tag}` : 'Project'

export function lineName(line: UsageLine, scope: UsageScope, { tag, silo }: UsageSearch): string {
  if (line.others > 0) return `${formatNumber(line.others)} others`
  if (scope.of !== 'fleet' && tag) {
    if (line.tag === null) return `Without ${tag}`
    return line.tag === '*' ? 'Any value' : line.tag === '' ? 'Empty value' : line.tag
  }
  if (scope.of === 'fleet' && !silo) return line.silo?.name ?? ''
  return line.project?.name ?? 'Images of the silo'
}

/** A table that spreadsheets read, with what an hour cost. */
export function csvRows(
  report: UsageReport,
  scope: UsageScope,
  search: UsageSearch,
): (readonly (string | number)[])[] {
  const head = meters.map((meter) => `${meterWords[meter].label} (${meterWords[meter].unit})`)
  return [
    ['Month', lineHead(scope, search), ...head, `Cost${report.currency && ` (${report.currency})`}`],
    ...report.lines.map((line) => [
      report.month,
      lineName(line, scope, search),
      ...meters.map((meter) => line.hours[meter]),
      line.cost,
    ]),
    [report.month, 'Total', ...meters.map((meter) => report.total.hours[meter]), report.total.cost],
    [report.month, 'Price', ...meters.map((meter) => report.prices[meter]), ''],
  ]
}
