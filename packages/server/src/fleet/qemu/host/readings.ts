import type { UsageColumn } from '@gantry/control-plane/fleet/fleet'

/** Readings of a source that is gone are forgotten after this. */
const KEPT_MS = 10 * 60_000

/**
 * Turns readings of the present into columns of several times: the newest time gets the reading, and earlier ones
 * are interpolated from the previous reading. Before that, values are unknown.
 */
export class Readings {
  readonly #last = new Map<string, { at: number; values: Map<string, number> }>()

  /** Takes a reading of a source, and returns its columns; totals never fall. */
  at(
    source: string,
    times: readonly number[],
  ): (key: string, value: number, isGauge?: boolean) => UsageColumn {
    const before = this.#last.get(source)
    const now = times.at(-1) ?? 0
    const reading = { at: now, values: new Map<string, number>() }
    this.#last.set(source, reading)
    return (key, value, isGauge = false) => {
      const past = before?.values.get(key)
      const present = isGauge || past === undefined ? value : Math.max(past, value)
      reading.values.set(key, present)
      return times.map((time) => {
        if (time === now) return present
        if (before === undefined || past === undefined || time < before.at) return null
        const part = (time - before.at) / (now - before.at)
        const between = past + part * (present - past)
        return isGauge ? between : Math.floor(between)
      })
    }
  }

  forgetOlder(now: number): void {
    for (const [source, { at }] of this.#last) if (at < now - KEPT_MS) this.#last.delete(source)
  }
}
