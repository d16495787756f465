import { useObjectNames } from '#/features/object-names/use-object-names.ts'
import { WithIds } from '#/features/object-names/WithIds.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Plot } from '#/ui/chart/Plot.tsx'
import type { MetricTable } from '../chart-data.ts'
import type { TimeseriesDescription } from './timeseries-descriptions.ts'
import { chartIn, idsOf, rowsIn, seriesIn } from './result-data.ts'

interface Props {
  tables: readonly MetricTable[]
  known: readonly TimeseriesDescription[]
  view: 'chart' | 'table'
}

/** The result of a query, as a chart or as a table of points. */
export function ResultView({ tables, known, view }: Props) {
  const series = seriesIn(tables)
  const names = useObjectNames(idsOf(series))
  const isEmpty = series.every(({ times }) => times.length === 0)
  if (isEmpty)
    return (
      <div className="chart-blank">
        <div className="text-center">
          <p className="font-medium text-strong">No data</p>
          <p className="text-sm text-muted">No timeseries has a point that matches the query.</p>
        </div>
      </div>
    )
  if (view === 'table') return <Rows {...rowsIn(series, names)} />
  const units = known.find(({ name }) => name === tables[0]?.name)?.units
  return <Chart chart={chartIn(series, units, names)} />
}

const dashes = ['solid', 'dashed', 'dotted', 'dashed', 'dotted'] as const

function Chart({ chart }: { chart: ReturnType<typeof chartIn> }) {
  if (!chart) return <p className="text-muted">The result has no numbers to draw. Use the table instead.</p>
  const { data, range, unit, ids, drawn, leftOut } = chart
  return (
    <div className="space-y-2">
      <Plot label={`Result, ${unit.label}`} data={data} range={range} />
      {drawn > 1 && (
        <ul aria-label="Lines" className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {data.series.map(({ label }, index) => (
            <li key={label} className="flex min-w-0 items-center gap-1.5 wrap-anywhere">
              <span
                aria-hidden
                className="w-5 shrink-0 border-t-2"
                style={{ borderColor: `var(--chart-${index + 1})`, borderTopStyle: dashes[index] }}
              />
              <WithIds ids={ids[index] ?? []}>{label}</WithIds>
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p className="text-sm text-muted">
          The chart draws {drawn} of {drawn + leftOut} timeseries. Filter or group the others to see them, or
          choose the table.
        </p>
      )}
    </div>
  )
}

function Rows({ rows, points }: ReturnType<typeof rowsIn>) {
  const cell = 'px-3 py-1.5 text-left align-top'
  return (
    <div className="space-y-2">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long table scrolls */}
      <div role="region" aria-label="Points" tabIndex={0} className="max-h-[60dvh] overflow-auto">
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead className="sticky top-0 bg-sunken text-xs text-muted">
            <tr>
              {['Time', 'Timeseries', 'Value'].map((head) => (
                <th key={head} scope="col" className={cell}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, time, label, ids, value }) => (
              <tr key={key} className="border-t border-faint-line">
                <td className={cell}>
                  <DateTime value={time} />
                </td>
                <td className={`${cell} min-w-60 wrap-anywhere`}>
                  {label}
                  <span className="block text-xs text-muted">{ids.join(' ')}</span>
                </td>
                <td className={cell}>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {points > rows.length && (
        <p className="text-sm text-muted">
          The newest {rows.length} of {points.toLocaleString()} points.
        </p>
      )}
    </div>
  )
}
