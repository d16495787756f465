import type { ChartMark, ChartRange } from './chart.ts'

/** Marks closer than this many pixels are one, because neither a pointer nor an eye could tell them apart. */
const apart = 24

export interface PlacedMarks {
  /** Pixels from the left of the drawing. */
  left: number
  marks: readonly ChartMark[]
}

/** Where marks are on an axis of this width, oldest first; those outside the range are left out. */
export function placeMarks(
  marks: readonly ChartMark[],
  [start, end]: ChartRange,
  width: number,
): PlacedMarks[] {
  const placed: { left: number; marks: ChartMark[] }[] = []
  const inside = marks.filter(({ time }) => time >= start && time <= end)
  for (const mark of inside.toSorted((one, other) => one.time - other.time)) {
    const left = ((mark.time - start) / (end - start)) * width
    const last = placed.at(-1)
    if (last && left - last.left < apart) last.marks.push(mark)
    else placed.push({ left, marks: [mark] })
  }
  return placed
}
