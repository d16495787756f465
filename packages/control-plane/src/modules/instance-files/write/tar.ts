import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '@gantry/control-plane/context/ids'
import type { LaidOut } from './written-units.ts'

const BLOCK = 512
/** What eleven octal digits hold. */
const octalMax = 8 ** 11

export interface Entry extends LaidOut {
  name: string
}

/** A file that is there already. */
export const textEntry = (name: string, text: string): Entry => {
  const bytes = new TextEncoder().encode(text)
  return {
    name,
    size: bytes.length,
    async *pieces() {
      yield bytes
    },
  }
}

const digestLength = 64

/**
 * A tar archive (POSIX ustar) of these files, and of a last one with their SHA-256, which are known once the others have
 * been read. The archive's size is known before.
 */
export function tarWithDigests(
  entries: readonly Entry[],
  last: { name: string; line: (name: string, digest: string) => string },
  time: Date,
): LaidOut {
  const digestsSize = entries.reduce(
    (sum, { name }) => sum + new TextEncoder().encode(last.line(name, '0'.repeat(digestLength))).length,
    0,
  )
  const sizes = [...entries.map(({ size }) => size), digestsSize]
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let digests = ''
    for (const { name, size, pieces: read } of entries) {
      yield header(name, size, time)
      const hash = sha256.create()
      for await (const piece of read()) {
        hash.update(piece)
        yield piece
      }
      yield padding(size)
      digests += last.line(name, toHex(hash.digest()))
    }
    yield header(last.name, digestsSize, time)
    yield new TextEncoder().encode(digests)
    yield padding(digestsSize)
    yield new Uint8Array(2 * BLOCK)
  }
  const size = sizes.reduce((sum, one) => sum + BLOCK + one + paddingOf(one), 2 * BLOCK)
  return { size, pieces }
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK
const padding = (size: number): Uint8Array => new Uint8Array(paddingOf(size))

function header(name: string, size: number, time: Date): Uint8Array {
  const bytes = new Uint8Array(BLOCK)
  const write = (text: string, at: number): void => bytes.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  write(name, 0)
  write('0000644\0', 100)
  write('0000000\0', 108)
  write('0000000\0', 116)
  // Larger ones are binary, which every tar reads since the nineties.
  if (size < octalMax) write(octal(size, 11), 124)
  else {
    bytes[124] = 0x80
    new DataView(bytes.buffer).setBigUint64(128, BigInt(size))
  }
  write(octal(Math.floor(time.getTime() / 1000), 11), 136)
  write(' '.repeat(8), 148)
  write('0', 156)
  write('ustar\x0000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  write(`${octal(sum, 6)}\0 `, 148)
  return bytes
}
