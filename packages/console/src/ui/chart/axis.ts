/** Ticks of a value axis: five steps from zero to a round number. */
const steps = 5
const highest = 1023

/**
 * The top of a value axis: the largest value, in the unit shown, rounded up to a multiple of 10 and at most 1023
 * (rulings, chart axis ceiling). A chart of zeros gets the smallest axis.
 */
export const axisTop = (largest: number): number => Math.min(highest, fixedAxisTop(largest))

/** The same in a fixed unit, which does not keep values below 1024: a cap would leave the line above the chart. */
export const fixedAxisTop = (largest: number): number => Math.max(1, Math.ceil(largest / 10)) * 10

export const axisTicks = (top: number): number[] =>
  Array.from({ length: steps + 1 }, (_, step) => (top * step) / steps)

/** Rounds a value: three significant digits below 100, integers above. */
const short = (value: number): number =>
  Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value)

export const tickText = (value: number): string => short(value).toLocaleString()

/** Ticks of a time axis. */
const ticks = 5

/** Times between two, in seconds; the last keeps clear of the right edge. */
export function timeTicks(start: number, end: number): number[] {
  const step = (end - start) / ticks
  return Array.from({ length: ticks }, (_, index) => start + step * (index + 0.5))
}

const weekSeconds = 7 * 86_400

/**
 * `14:05` if the range is within a day, `11/20` from a week on, else `11/20 14:05`, in local time; with seconds if ticks
 * share a minute.
 */
export function timeText(seconds: number, [start, end]: readonly [number, number]): string {
  const at = new Date(seconds * 1000)
  const minute = `${two(at.getHours())}:${two(at.getMinutes())}`
  const time = end - start < ticks * 60 ? `${minute}:${two(at.getSeconds())}` : minute
  if (isSameDay(start, end)) return time
  const day = `${at.getMonth() + 1}/${at.getDate()}`
  return end - start < weekSeconds ? `${day} ${time}` : day
}

const two = (value: number): string => String(value).padStart(2, '0')

const isSameDay = (start: number, end: number): boolean =>
  new Date(start * 1000).toDateString() === new Date(end * 1000).toDateString()
