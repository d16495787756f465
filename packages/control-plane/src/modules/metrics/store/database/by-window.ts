import type { PointsBySeries } from './codec.ts'
import { grouped } from '../grouped.ts'
import { windowOf } from '../points.ts'

/** Splits the samples of objects by the windows of blocks. */
export function byWindow(
  objects: ReadonlyMap<number, PointsBySeries>,
  windowMs: number,
): Map<number, Map<number, PointsBySeries>> {
  const windows = new Map<number, Map<number, PointsBySeries>>()
  for (const [object, points] of objects)
    for (const [series, { times, starts, values }] of points)
      for (const [window, indexes] of grouped(times.keys(), (index) =>
        windowOf(times[index] ?? 0, windowMs),
      )) {
        const inWindow = windows.get(window) ?? new Map<number, PointsBySeries>()
        windows.set(window, inWindow)
        const there = inWindow.get(object) ?? new Map()
        inWindow.set(object, there)
        there.set(series, {
          times: indexes.map((index) => times[index] ?? 0),
          starts: starts && indexes.map((index) => starts[index] ?? 0),
          values: indexes.map((index) => values[index] ?? null),
        })
      }
  return windows
}
