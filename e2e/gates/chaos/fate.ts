import { createHash } from 'node:crypto'

/** What becomes of a call: how long it takes, and how it fails, if it does. */
export interface Fate {
  delayMs: number
  /** `lost`: the server does the work, and nobody hears of it. Otherwise it never hears of the call. */
  failure?: 'lost' | 401 | 403 | 404 | 500
}

const delayMs = { least: 200, most: 400 }
const statuses = [401, 403, 404, 500] as const

/** The same for the same text, which names seed, call and how often it was made: calls overlap as they like. */
export function fateOf(text: string, share: number): Fate {
  const bytes = createHash('sha256').update(text).digest()
  const chance = (nth: number): number => bytes.readUInt32BE(nth * 4) / 2 ** 32
  const fate = { delayMs: delayMs.least + chance(0) * (delayMs.most - delayMs.least) }
  if (chance(1) >= share) return fate
  const status = statuses[Math.floor(chance(3) * statuses.length)]
  return { ...fate, failure: chance(2) < 0.5 || status === undefined ? 'lost' : status }
}
