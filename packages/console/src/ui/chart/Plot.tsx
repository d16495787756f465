import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './known-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import type { ChartData, ChartMark, ChartRange } from './chart.ts'
import { chartColors, onThemeChange } from './colors.ts'
import { placeMarks } from './marks.ts'
import { plotOptions, widthOf } from './plot-options.ts'
import { PlotMarks } from './PlotMarks.tsx'
import { PlotTip, type Tip } from './PlotTip.tsx'

interface Props {
  /** The accessible name. */
  label: string
  data: ChartData
  range: ChartRange
  /** Events in the range. */
  marks?: readonly ChartMark[]
  /** Charts of one page with the same key share their cursor. */
  syncKey?: string
  /** The range selected by dragging, in seconds since 1970. */
  onZoom?: (start: number, end: number) => void
}

/** Lines over time on a canvas. The arrow keys move the cursor, and screen readers announce its values. */
export function Plot({ label, data, range, marks = noMarks, syncKey, onZoom }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef({ data, range, marks, onZoom })
  const [tip, setTip] = useState<Tip>()
  const [area, setArea] = useState<Area>({ left: 0, width: 0 })
  const [theme, setTheme] = useState(0)
  // Options that are fixed once the plot exists.
  const shape = JSON.stringify([data.series.map((each) => [each.label, each.isReference]), data.isStepped])

  useLayoutEffect(() => {
    latest.current = { data, range, marks, onZoom }
  })
  useEffect(() => onThemeChange(() => setTheme((count) => count + 1)), [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const size = () => ({ width: element.clientWidth, height: element.clientHeight })
    const drawn = new uPlot(
      plotOptions({
        size: size(),
        colors: chartColors(element),
        syncKey,
        data: () => latest.current.data,
        range: () => latest.current.range,
        marksIn: (width) => placeMarks(latest.current.marks, latest.current.range, width),
        onDraw: (shown) => setArea((known) => areaOf(shown, known)),
        onCursor: (shown) => setTip(tipOf(shown)),
        onSelect: (start, end) => latest.current.onZoom?.(start, end),
      }),
      aligned(latest.current.data),
      element,
    )
    plot.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawn.destroy()
      plot.current = undefined
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- shape and theme say when to start over
  }, [shape, syncKey, theme])

  useLayoutEffect(() => {
    plot.current?.setData(aligned(data))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the range is read while it draws
  }, [data, range, marks])

  // There are no positions before the first drawing.
  const placed = area.width > 0 ? placeMarks(marks, range, area.width) : []

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move the cursor
    <div
      role="group"
      aria-roledescription="chart"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative h-55 rounded-control md:h-75"
      onKeyDown={(event) => moveCursor(event, plot.current)}
    >
      <div ref={box} className="absolute inset-0" />
      {placed.length > 0 && <PlotMarks label="Changes" placed={placed} left={area.left} />}
      {tip && <PlotTip tip={tip} data={data} />}
    </div>
  )
}

const noMarks: readonly ChartMark[] = []

/** The plot area inside the chart, in pixels. */
interface Area {
  left: number
  width: number
}

/** Returns the same object unless it has moved. */
function areaOf(plot: uPlot, known: Area): Area {
  const [left, width] = [plot.bbox.left / devicePixelRatio, widthOf(plot)]
  return left === known.left && width === known.width ? known : { left, width }
}

const aligned = ({ times, series }: ChartData): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => [...values]),
]

function tipOf(plot: uPlot): Tip | undefined {
  const { idx, left = -1 } = plot.cursor
  if (typeof idx !== 'number' || left < 0) return undefined
  return {
    index: idx,
    left: left + plot.bbox.left / devicePixelRatio,
    isRight: left > plot.over.clientWidth / 2,
  }
}

/** Arrow keys go to the next point, Home and End to the first and last; Escape hides the cursor. */
function moveCursor(event: KeyboardEvent, plot: uPlot | undefined): void {
  if (!plot) return
  const last = plot.data[0].length - 1
  const at = plot.cursor.idx ?? -1
  const targets: Record<string, number | undefined> = {
    ArrowLeft: at < 0 ? last : Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
    Escape: at < 0 ? undefined : -1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  const time = plot.data[0][target]
  plot.setCursor({ left: time === undefined ? -10 : plot.valToPos(time, 'x'), top: 10 })
}
