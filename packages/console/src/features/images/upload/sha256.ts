/* SHA-256 as FIPS 180-4 has it, for pages that were not fetched over a secure connection: there the browser has none. */

const primes = firstPrimes(64)
const roundConstants = Uint32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)))
const initialHash = Uint32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

/** The first 32 bits behind the point. */
function fractionOf(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256InScript(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = initialHash.slice()
  const schedule = new Int32Array(64)
  const whole = bytes.length & ~63
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole; at += 64) compress(hash, schedule, view, at)

  const rest = bytes.length - whole
  const tail = new Uint8Array(rest < 56 ? 64 : 128)
  tail.set(bytes.subarray(whole))
  tail[rest] = 0x80
  const tailView = new DataView(tail.buffer)
  tailView.setUint32(tail.length - 8, Math.floor((bytes.length * 8) / 2 ** 32))
  tailView.setUint32(tail.length - 4, (bytes.length * 8) >>> 0)
  for (let at = 0; at < tail.length; at += 64) compress(hash, schedule, tailView, at)

  const digest = new DataView(new ArrayBuffer(32))
  hash.forEach((word, index) => digest.setUint32(index * 4, word))
  return new Uint8Array(digest.buffer)
}

function compress(hash: Uint32Array, w: Int32Array, view: DataView, at: number): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + t * 4)
  for (let t = 16; t < 64; t++) {
    const [early, late] = [w[t - 15] ?? 0, w[t - 2] ?? 0]
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    w[t] = ((w[t - 16] ?? 0) + sigma0 + (w[t - 7] ?? 0) + sigma1) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + sum1 + choice + (roundConstants[t] ?? 0) + (w[t] ?? 0)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sum0 + majority) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index] = (hash[index] ?? 0) + word))
}
