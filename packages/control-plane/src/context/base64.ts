const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const none = 255
const values = new Uint8Array(128).fill(none)
for (let value = 0; value < 64; value++) values[alphabet.charCodeAt(value)] = value

/**
 * Decodes base64 (standard alphabet, padded), or returns the problem with it. `atob` builds a string of one character
 * per byte first, which is several times slower for the half MiB of a bulk write.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | string {
  if (text.length % 4 !== 0) return 'Invalid padding'
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const end = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  const whole = end - (end % 4)
  let to = 0
  for (let at = 0; at < whole; at += 4) {
    const [a, b, c, d] = [
      valueAt(text, at),
      valueAt(text, at + 1),
      valueAt(text, at + 2),
      valueAt(text, at + 3),
    ]
    if ((a | b | c | d) >= 64) return invalidSymbol(text, at)
    bytes[to++] = (a << 2) | (b >> 4)
    bytes[to++] = (b << 4) | (c >> 2)
    bytes[to++] = (c << 6) | d
  }
  if (padding === 0) return bytes
  const [a, b, c] = [
    valueAt(text, whole),
    valueAt(text, whole + 1),
    padding === 1 ? valueAt(text, whole + 2) : 0,
  ]
  if ((a | b | c) >= 64) return invalidSymbol(text, whole)
  // The unused bits of the last symbol must be zero, so that each byte sequence has one encoding.
  if (padding === 2 ? (b & 15) !== 0 : (c & 3) !== 0) return `Invalid last symbol at offset ${end - 1}`
  bytes[to++] = (a << 2) | (b >> 4)
  if (padding === 1) bytes[to++] = (b << 4) | (c >> 2)
  return bytes
}

const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)] ?? none

function invalidSymbol(text: string, from: number): string {
  let at = from
  while (valueAt(text, at) < 64) at++
  return `Invalid symbol ${text.charCodeAt(at)}, offset ${at}`
}
