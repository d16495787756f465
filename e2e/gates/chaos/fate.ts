import { createHash } from 'node:crypto'

/** The delay of a call, and its failure, if any. */
export interface Fate {
  delayMs: number
  /**
   * `lost`: the server performs the call, and the response is dropped. Otherwise the call never reaches the
   * server.
   */
  failure?: 'lost' | 401 | 403 | 404 | 500
}

const delayMs = { min: 200, max: 400 }
const statuses = [401, 403, 404, 500] as const

/** Deterministic for a text of seed, call and attempt, because calls overlap in any order. */
export function fateOf(text: string, share: number): Fate {
  const bytes = createHash('sha256').update(text).digest()
  const chance = (nth: number): number => bytes.readUInt32BE(nth * 4) / 2 ** 32
  const fate = { delayMs: delayMs.min + chance(0) * (delayMs.max - delayMs.min) }
  if (chance(1) >= share) return fate
  const status = statuses[Math.floor(chance(3) * statuses.length)]
  return { ...fate, failure: chance(2) < 0.5 || status === undefined ? 'lost' : status }
}
