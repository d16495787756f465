import { once } from '../data/format.ts'
import type { ChartData } from './chart.ts'

/** The position of a chart's cursor. */
export interface Tip {
  index: number
  /** Pixels from the left of the chart. */
  left: number
  /** Whether the cursor is in the right half; the text is then on its left. */
  isRight: boolean
}

const moment = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }))

/** Shows the values at the cursor. */
export function PlotTip({ tip: { index, left, isRight }, data }: { tip: Tip; data: ChartData }) {
  const at = data.times[index]
  if (at === undefined) return null
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-1 z-10 rounded-control bg-float px-2.5 py-1.5 text-xs shadow-menu tabular-nums"
      style={isRight ? { right: `calc(100% - ${left}px + 0.75rem)` } : { left: `calc(${left}px + 0.75rem)` }}
    >
      <div className="whitespace-nowrap text-muted">{moment().format(at * 1000)}</div>
      {data.series.map(({ label, values }) => {
        const value = values[index]
        return (
          <div key={label} className="flex justify-between gap-4 whitespace-nowrap">
            <span>{label}</span>
            <span className="font-semibold text-strong">{value == null ? 'No data' : data.value(value)}</span>
          </div>
        )
      })}
    </div>
  )
}
