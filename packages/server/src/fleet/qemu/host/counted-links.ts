import type { CountedLink, LinkTotals } from './host-sensors.ts'

interface Known {
  /** The time of the reading (ms). */
  at: number
  read: LinkTotals
  since: number
  /** The kernel's totals at `since`. */
  before: Partial<LinkTotals>
}

/**
 * Totals of links since this process first read them. The kernel resets its own with the host, with a card's driver and
 * when a card is plugged in again, without a sign of when.
 */
export class CountedLinks {
  #known: ReadonlyMap<string, Known> = new Map()

  /** Takes a reading of all links. */
  at(now: number, links: ReadonlyMap<string, LinkTotals>): Map<string, CountedLink> {
    const known = this.#known
    this.#known = new Map([...links].map(([id, read]) => [id, next(known.get(id), now, read)]))
    return new Map(
      [...this.#known].map(([id, { since, read, before }]) => [id, { since, totals: less(read, before) }]),
    )
  }
}

function next(last: Known | undefined, now: number, read: LinkTotals): Known {
  if (!last) return { at: now, read, since: now, before: read }
  const isOver = keysOf(read).some((key) => read[key] < last.read[key])
  // It was reset at some time since the last reading.
  return isOver ? { at: now, read, since: last.at, before: {} } : { ...last, at: now, read }
}

const less = (read: LinkTotals, before: Partial<LinkTotals>): LinkTotals =>
  Object.fromEntries(keysOf(read).map((key) => [key, read[key] - (before[key] ?? 0)])) as LinkTotals

const keysOf = (totals: LinkTotals) => Object.keys(totals) as (keyof LinkTotals)[]
