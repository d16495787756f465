import type { LanePoints } from './codec.ts'
import { grouped } from '../grouped.ts'
import { windowOf } from '../points.ts'

/** Splits the samples of lanes by the windows of blocks. */
export function byWindow(
  lanes: ReadonlyMap<number, LanePoints>,
  windowMs: number,
): Map<number, Map<number, LanePoints>> {
  const windows = new Map<number, Map<number, LanePoints>>()
  for (const [lane, points] of lanes)
    for (const [slot, { times, starts, values }] of points)
      for (const [window, indexes] of grouped(times.keys(), (index) =>
        windowOf(times[index] ?? 0, windowMs),
      )) {
        const inWindow = windows.get(window) ?? new Map<number, LanePoints>()
        windows.set(window, inWindow)
        const there = inWindow.get(lane) ?? new Map()
        inWindow.set(lane, there)
        there.set(slot, {
          times: indexes.map((index) => times[index] ?? 0),
          starts: starts && indexes.map((index) => starts[index] ?? 0),
          values: indexes.map((index) => values[index] ?? null),
        })
      }
  return windows
}
