import { type KeyboardEvent, useState } from 'react'
import { once } from '../data/format.ts'
import { rove } from '../overlays/rove.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import type { ChartMark } from './chart.ts'
import type { PlacedMarks } from './marks.ts'

const moment = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }))
const words = ({ time, label }: ChartMark): string => `${moment().format(time * 1000)}: ${label}`

interface Props {
  label: string
  placed: readonly PlacedMarks[]
  /** Offset of the plot area from the left of the chart, in pixels. */
  left: number
}

/** Events on the time axis. One tab stop; arrow keys move between marks. */
export function PlotMarks({ label, placed, left }: Props) {
  const [current, setCurrent] = useState(0)
  const stop = Math.min(current, placed.length - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // The chart would move its cursor on the same keys.
    if (rove(event, 'listitem')) event.stopPropagation()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move the focus
    <div role="list" aria-label={label} onKeyDown={onKeyDown}>
      {placed.map(({ left: at, marks }, index) => (
        <Tooltip
          key={marks[0]?.time}
          describes={false}
          side="above"
          content={marks.map((mark) => (
            <span key={words(mark)} className="block">
              {words(mark)}
            </span>
          ))}
        >
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its tooltip needs the focus */}
          <div
            role="listitem"
            aria-label={marks.map(words).join('; ')}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip needs the focus
            tabIndex={index === stop ? 0 : -1}
            className="absolute bottom-4 grid size-6 -translate-x-1/2 place-items-center rounded-full"
            style={{ left: left + at }}
            onFocus={() => setCurrent(index)}
          >
            <span className="size-2 rotate-45 bg-strong ring-2 ring-page forced:border" />
          </div>
        </Tooltip>
      ))}
    </div>
  )
}
