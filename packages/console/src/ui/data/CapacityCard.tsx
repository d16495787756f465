// @chunk gauges: of pages that show capacities, which most lists do not.
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'

import { BigNumber } from './Figures.tsx'
import { formatPercent, percentOf, splitPercent } from './format-amounts.ts'
import { Gauge } from './Gauge.tsx'

type Amount = number | bigint
type Props = {
  icon: LucideIcon
  label: string
  /** In brackets after the label: `vCPUs`. */
  units: string
  part: Amount
  whole: Amount
  /** The word for the used part: `allocated`. */
  partWord?: string
  /** The figures behind the percentage, at the foot. */
  figures: readonly { label: string; value: Amount; unit?: string }[]
  /** A sentence below the figures. */
  note?: ReactNode
}

/** The use of a capacity: the percentage first, then the gauge and the figures. */
export function CapacityCard(props: Props) {
  const { icon: Icon, label, units, part, whole, partWord = 'provisioned', figures, note } = props
  const id = useId()
  const percent = percentOf(part, whole)
  const { whole: big, decimals } =
    percent === undefined ? { whole: '—', decimals: '' } : splitPercent(percent)
  return (
    <section aria-labelledby={id} className="rounded-block border border-line bg-page px-4 pt-3 pb-3.5">
      <h2 id={id} className="flex items-center gap-2 text-base">
        <Icon aria-hidden strokeWidth={1.75} className="size-4 text-muted" />
        {label} <span className="font-normal text-muted">({units})</span>
      </h2>
      <p className="flex items-baseline gap-2 py-1">
        <span className="text-2xl font-semibold text-strong tabular-nums">
          {big}
          <span className="text-lg font-normal text-muted">{decimals}%</span>
        </span>{' '}
        <span className="text-sm text-muted">{partWord}</span>
      </p>
      <Gauge
        label={label}
        used={percent ?? 0}
        text={percent === undefined ? '—%' : formatPercent(percent)}
        ruler
        scale={['0', '50', '100%']}
      />
      <dl className="mt-2.5 flex justify-between gap-4 border-t border-faint-line pt-2">
        {figures.map((figure) => (
          <div key={figure.label} className="last:text-right">
            <dt className="text-xs text-muted">{figure.label}</dt>
            <dd className="text-strong tabular-nums">
              <BigNumber value={figure.value} /> {figure.unit}
            </dd>
          </div>
        ))}
      </dl>
      {note && <p className="mt-2 border-t border-faint-line pt-2 text-sm text-text">{note}</p>}
    </section>
  )
}
