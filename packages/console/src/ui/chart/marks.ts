import type { ChartMark, ChartRange } from './chart.ts'

/** Marks closer than this, in pixels, become one, because they are indistinguishable. */
const apart = 24

export interface PlacedMarks {
  /** Pixels from the left of the drawing. */
  left: number
  marks: readonly ChartMark[]
}

/** The positions of marks on an axis of this width, oldest first. Omits those outside the range. */
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
