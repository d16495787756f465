import type { OfProjectKind } from '../filter/list-kinds.rules.ts'
import { filterNoun } from './filter-noun.rules.ts'
import type { ThresholdComparison } from './metric-query.rules.ts'
import { vcpuPercent } from './metric.rules.ts'

/** `above 90 for 5 minutes`, with the value in words that the caller chooses. */
export function thresholdText(
  { comparison, for_seconds }: { comparison: ThresholdComparison; for_seconds: number },
  value: string,
): string {
  return `${comparison} ${value}${for_seconds === 0 ? '' : ` for ${spanText(for_seconds)}`}`
}

/** In the largest unit that expresses it as a whole number. */
function spanText(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A unit that people read more easily than the one of the samples: a value times `factor` is a sample's. */
interface ThresholdUnit {
  label: string
  factor: number
}

const cpuPercent: ThresholdUnit = { label: '% of a vCPU', factor: vcpuPercent }

/** The unit in which a threshold of the query is entered and shown; undefined for the unit of its samples. */
export const thresholdUnit = (query: string): ThresholdUnit | undefined =>
  /\bget\s+virtual_machine:vcpu_usage\b/.test(query) ? cpuPercent : undefined

/** A value that the query answers with, in its unit: `93.5% of a vCPU`, or `3 instances` of a filter. */
export function measuredText(query: string, filterOf: OfProjectKind | null, value: number): string {
  const unit = filterOf ? undefined : thresholdUnit(query)
  const number = (value / (unit?.factor ?? 1)).toLocaleString('en-US', { maximumFractionDigits: 2 })
  if (filterOf) return `${number} ${filterNoun(filterOf)}${value === 1 ? '' : 's'}`
  return unit ? `${number}${unit.label}` : number
}
