import './known-language.ts'
import uPlot from 'uplot'
import { axisTicks, timeText, timeTicks } from './axis.ts'
import type { ChartData, ChartRange } from './chart.ts'
import type { ChartColors } from './colors.ts'
import type { PlacedMarks } from './marks.ts'

/** Dash patterns by line, so that lines do not differ by colour alone. */
const dashes: readonly (readonly number[])[] = [[], [6, 4], [2, 3], [10, 3, 2, 3], [1, 2]]
const reference: readonly number[] = [4, 4]
const font = '12px "Atkinson Hyperlegible Next Variable", system-ui, sans-serif'
/** Space for an axis label and its gap, in pixels. */
const perCharacter = 8
const axisGap = 8
const timeAxisHeight = 28

interface Wanted {
  size: { width: number; height: number }
  colors: ChartColors
  /** Charts with the same key share their cursor. */
  syncKey: string | undefined
  /** The data and range at the time of drawing. */
  data: () => ChartData
  range: () => ChartRange
  /** The marks of the time axis at this width. */
  marksIn: (width: number) => readonly PlacedMarks[]
  onCursor: (plot: uPlot) => void
  onDraw: (plot: uPlot) => void
  onSelect: (start: number, end: number) => void
}

/** Options of the drawing library for a chart in this console's look (visual language, Charts). */
export function plotOptions({
  size,
  colors,
  syncKey,
  data,
  range,
  marksIn,
  onCursor,
  onDraw,
  onSelect,
}: Wanted): uPlot.Options {
  const stepped = data().isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined
  const text = { font, stroke: colors.axis }
  return {
    ...size,
    legend: { show: false },
    padding: [8, 0, 0, 2],
    scales: {
      x: { time: true, range: () => [...range()] },
      y: { range: () => [0, data().top] },
    },
    axes: [
      {
        ...text,
        size: timeAxisHeight,
        gap: axisGap,
        grid: { show: false },
        ticks: { stroke: colors.base, width: 1, size: 4 },
        border: { show: true, stroke: colors.base, width: 1 },
        splits: () => timeTicks(...range()),
        values: (_, splits) => splits.map((at) => timeText(at, range())),
      },
      {
        ...text,
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its enum exists only in types
        side: 1,
        gap: axisGap,
        size: (_, values) =>
          axisGap + perCharacter * Math.max(3, ...(values ?? []).map(({ length }) => length)),
        grid: { stroke: colors.grid, width: 1 },
        ticks: { show: false },
        splits: () => axisTicks(data().top),
        values: (_, splits) => splits.map((at) => data().tick(at)),
      },
    ],
    series: [
      {},
      ...data().series.map(({ label, isReference }, index) => ({
        label,
        stroke: colors.series[index % colors.series.length] ?? colors.axis,
        width: 1.75,
        dash: [...(isReference ? reference : (dashes[index % dashes.length] ?? []))],
        ...(index === 0 && { fill: colors.fill }),
        ...(stepped && { paths: stepped }),
        points: { show: false },
      })),
    ],
    cursor: {
      y: false,
      ...(syncKey && { sync: { key: syncKey, setSeries: false } }),
      drag: { x: true, y: false, setScale: false },
      points: { size: 9, width: 2, fill: colors.page },
    },
    hooks: {
      setCursor: [onCursor],
      draw: [(plot) => drawMarks(plot, marksIn(widthOf(plot)), colors.axis), onDraw],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          // A click without dragging selects nothing.
          if (width < 4) return
          onSelect(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** The width of the plot area, without the axes. */
export const widthOf = ({ bbox }: uPlot): number => bbox.width / devicePixelRatio

/** Draws a line for each mark on the canvas, so that saved pictures include it. */
function drawMarks({ ctx, bbox }: uPlot, placed: readonly PlacedMarks[], color: string): void {
  ctx.save()
  ctx.strokeStyle = color
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio])
  for (const { left } of placed) {
    const x = Math.round(bbox.left + left * devicePixelRatio)
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
