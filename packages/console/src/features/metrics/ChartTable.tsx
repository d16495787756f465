// @chunk apart: instead of a chart, for few users.
import { DateTime } from '#/ui/data/DateTime.tsx'
import type { ChartData, ChartMark } from '#/ui/chart/chart.ts'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { formatNumber } from '#/ui/data/format.ts'

interface Props {
  title: string
  unit: string
  data: ChartData
  marks?: readonly ChartMark[] | undefined
  onClose: () => void
}

/** More rows are of no use, and tens of thousands would hang the page. */
const rowsMax = 1000

/** The numbers of a chart and the events in its range, newest first. */
export function ChartTable({ title, unit, data: { times, series, value }, marks, onClose }: Props) {
  const all = [
    ...times.map((time, index) => ({ time, index, label: undefined })),
    ...(marks ?? []).map(({ time, label }) => ({ time, index: -1, label })),
  ].toSorted((one, other) => other.time - one.time)
  const rows = all.slice(0, rowsMax)
  const cell = 'px-3 py-1.5 text-left'
  return (
    <Dialog title={`${title} (${unit})`} width="free" onRequestClose={onClose}>
      <div className="max-h-[60dvh] overflow-auto">
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead className="sticky top-0 bg-sunken text-xs text-muted">
            <tr>
              <th scope="col" className={cell}>
                Time
              </th>
              {series.map(({ label }) => (
                <th key={label} scope="col" className={cell}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ time, index, label: happened }) => (
              <tr key={`${time} ${happened}`} className="border-t border-faint-line">
                <th scope="row" className={`${cell} font-normal whitespace-nowrap`}>
                  <DateTime value={new Date(time * 1000)} />
                </th>
                {happened === undefined ? (
                  series.map(({ label, values }) => {
                    const at = values[index]
                    return (
                      <td key={label} className={cell}>
                        {at == null ? 'No data' : value(at)}
                      </td>
                    )
                  })
                ) : (
                  <td colSpan={series.length} className={`${cell} text-strong`}>
                    {happened}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < all.length && (
        <p className="text-sm text-muted">
          The newest {formatNumber(rows.length)} of {formatNumber(all.length)} rows. Download CSV has all
          numbers.
        </p>
      )}
    </Dialog>
  )
}
