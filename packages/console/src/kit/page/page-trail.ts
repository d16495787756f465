import { hashKey, type QueryKey } from '@tanstack/react-query'

/**
 * The page tokens of a list in the order of visits; the first page has none. A token only leads forward, so Previous
 * relies on this trail, also after a reload and with Back and Forward.
 */
export type Trail = readonly (string | undefined)[]

export interface TrailPosition {
  /** Undefined if a shared link led into the middle of the list. */
  number: number | undefined
  /** The previous page, if known. */
  previous: { token: string | undefined } | undefined
}

/** The trail after moving from one page to the next. */
export function follow(trail: Trail, from: string | undefined, to: string): Trail {
  const visited = trail.length > 0 ? trail : [undefined]
  const at = visited.indexOf(from)
  // The pages before one that was opened directly are unknown.
  return at === -1 ? [from, to] : [...visited.slice(0, at + 1), to]
}

export function positionOf(trail: Trail, token: string | undefined): TrailPosition {
  if (token === undefined) return { number: 1, previous: undefined }
  const at = trail.indexOf(token)
  const isWhole = trail[0] === undefined
  return {
    number: at > 0 && isWhole ? at + 1 : undefined,
    previous: at > 0 ? { token: trail[at - 1] } : undefined,
  }
}

/** Names a list by its request. The times that an age stands for move on, so the age itself counts instead. */
export function trailKey([operation, input]: QueryKey, age: string | undefined): string {
  const { query, ...at } = input as { query?: object }
  return hashKey([operation, at, { ...query, createdAfter: undefined, createdBefore: undefined }, age])
}

const keyOf = (list: string): string => `gantry-pages ${list}`

/** Kept per tab, so that it survives a reload. */
export function readTrail(list: string): Trail {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(list)) ?? '[]')
    // JSON has no undefined: the first page comes back as null.
    return Array.isArray(stored)
      ? stored.map((token: unknown) => (typeof token === 'string' ? token : undefined))
      : []
  } catch {
    return []
  }
}

export function saveTrail(list: string, trail: Trail): void {
  try {
    sessionStorage.setItem(keyOf(list), JSON.stringify(trail))
  } catch {
    // Storage can be full or forbidden. Previous then goes to the first page.
  }
}
