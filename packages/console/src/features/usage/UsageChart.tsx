import { type Meter, meters, meterWords } from '@gantry/api/usage/usage.rules'
import { useMemo, useState } from 'react'
import { fixedAxisTop, tickText } from '#/ui/chart/axis.ts'
import type { ChartData, ChartRange } from '#/ui/chart/chart.ts'
import { Plot } from '#/ui/chart/Plot.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import type { UsageReport } from './queries.ts'
import { amountText, costText, isPriced } from './words.ts'

type Shown = Meter | 'cost'

/** What each day of the month used, or cost. */
export function UsageChart({ report }: { report: UsageReport }) {
  const priced = isPriced(report)
  const [chosen, setChosen] = useState<Shown>()
  const shown = chosen ?? (priced ? 'cost' : 'vcpu')
  const { data, range, title } = useMemo(() => chartOf(report, shown), [report, shown])
  return (
    <section aria-label="Use by day" className="min-w-0 rounded-block border border-line bg-page p-3.5">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 className="text-base">By day</h2>
        <span className="grow" />
        <Select
          small
          aria-label="Shown by day"
          value={shown}
          options={[
            ...(priced ? [{ value: 'cost' as const, label: 'Cost' }] : []),
            ...meters.map((meter) => ({ value: meter, label: meterWords[meter].label })),
          ]}
          onChange={setChosen}
        />
      </div>
      <Plot label={title} data={data} range={range} />
    </section>
  )
}

const daySeconds = 86_400

function chartOf(report: UsageReport, shown: Shown): { data: ChartData; range: ChartRange; title: string } {
  const begin = Date.parse(`${report.month}-01T00:00:00Z`) / 1000
  const through = new Date(report.through).getTime() / 1000
  const of = new Map(
    report.days.map((each) => [each.day, shown === 'cost' ? each.cost : each.hours[shown]] as const),
  )
  const times: number[] = []
  for (let time = begin; time < through; time += daySeconds) times.push(time)
  const values = times.map((time) => of.get(new Date(time * 1000).toISOString().slice(0, 10)) ?? 0)
  const last = values.at(-1)
  const unit = shown === 'cost' ? report.currency : meterWords[shown].unit
  const title = shown === 'cost' ? 'Cost' : meterWords[shown].label
  const data: ChartData = {
    // Each day's value holds until its end.
    times: last === undefined ? times : [...times, (times.at(-1) ?? begin) + daySeconds],
    series: [{ label: title, values: last === undefined ? values : [...values, last] }],
    top: fixedAxisTop(Math.max(0, ...values)),
    tick: tickText,
    value: (value) => (shown === 'cost' ? costText(value, report.currency) : `${amountText(value)} ${unit}`),
    isStepped: true,
  }
  return {
    data,
    range: [begin, Math.max(begin + daySeconds, data.times.at(-1) ?? begin)],
    title: `${title}, ${unit}`,
  }
}
