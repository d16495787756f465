import { GiB, TiB } from '@gantry/api/base/bytes.rules'
import type { ProvisioningMetric } from '@gantry/api/metrics/metric.rules'
import { fixedAxisTop } from '#/ui/chart/axis.ts'
import type { ChartData, ChartRange } from '#/ui/chart/chart.ts'
import { fixedUnit, type Unit } from './units.ts'

/** A provisioned amount and its start, in seconds since 1970. */
export interface Change {
  time: number
  amount: number
}

/** The charts of a utilization page, in order (console reference C 13.1). */
export const provisioned: readonly { metric: ProvisioningMetric; title: string; unit: Unit }[] = [
  { metric: 'cpus_provisioned', title: 'CPU', unit: fixedUnit('Count', 1) },
  { metric: 'ram_provisioned', title: 'Memory', unit: fixedUnit('GiB', GiB) },
  { metric: 'virtual_disk_space_provisioned', title: 'Storage', unit: fixedUnit('TiB', TiB) },
]

/**
 * Samples exist only at changes, so the line gets a point at the start of the range, with the amount from before, and one
 * at its end, with the last (console reference C 13.2). It ends at `now`, because future amounts are unknown.
 */
export function stepsOf(
  changes: readonly Change[],
  before: number,
  [start, end]: ChartRange,
  now: number,
): Change[] {
  const last = Math.min(end, now)
  if (last <= start) return []
  const first = changes.find(({ time }) => time === start)?.amount ?? before
  const inside = changes.filter(({ time }) => time > start && time < last)
  return [{ time: start, amount: first }, ...inside, { time: last, amount: inside.at(-1)?.amount ?? first }]
}

export function stepChart(title: string, steps: readonly Change[], unit: Unit): ChartData {
  const values = steps.map(({ amount }) => amount / unit.divisor)
  const { tick, value } = unit
  return {
    times: steps.map(({ time }) => time),
    series: [{ label: title, values }],
    top: fixedAxisTop(Math.max(0, ...values)),
    tick,
    value,
    isStepped: true,
  }
}
