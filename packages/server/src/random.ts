import { randomFillSync } from 'node:crypto'

const poolBytes = 4096

/**
 * Strong random bytes, drawn from the operating system a few thousand at a time: every request needs some, and
 * a draw of sixteen takes as long as one of thousands.
 */
export function pooledRandom(): (length: number) => Uint8Array<ArrayBuffer> {
  const pool = new Uint8Array(poolBytes)
  let at = poolBytes
  return (length) => {
    if (length > poolBytes) return randomFillSync(new Uint8Array(length))
    if (at + length > poolBytes) {
      randomFillSync(pool)
      at = 0
    }
    const bytes = pool.slice(at, at + length)
    // Nothing handed out stays readable here.
    pool.fill(0, at, at + length)
    at += length
    return bytes
  }
}
