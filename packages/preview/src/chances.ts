/** Three pseudo-random numbers from 0 up to 1, always the same for the same text. */
export function chances(text: string): [number, number, number] {
  // FNV-1a derives a seed from the text, mulberry32 numbers from the seed.
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return [next(), next(), next()]
}
