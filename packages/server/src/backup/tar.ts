/**
 * The part of the tar format (POSIX ustar) that a backup needs, so that any `tar` can list one: plain files
 * with short names that fit into memory.
 */
const BLOCK = 512
const MAX_NAME = 100
const TYPE_FILE = '0'.charCodeAt(0)

export interface Entry {
  name: string
  bytes: Uint8Array
}

/** Two empty blocks end an archive. */
export const endOfTar = new Uint8Array(2 * BLOCK)

/** An entry in archive form: header, bytes, and zeros up to a whole block. */
export function tarEntry(name: string, bytes: Uint8Array, time: Date): Uint8Array {
  if (Buffer.byteLength(name) > MAX_NAME) throw new Error(`the name ${name} is too long for an archive`)
  const whole = Buffer.alloc(BLOCK + blocksOf(bytes.length) * BLOCK)
  whole.write(name, 0)
  whole.write('0000600\0', 100)
  whole.write('0000000\0', 108)
  whole.write('0000000\0', 116)
  whole.write(octal(bytes.length, 11), 124)
  whole.write(octal(Math.floor(time.getTime() / 1000), 11), 136)
  whole.write('0', 156)
  whole.write('ustar\x0000', 257)
  whole.write(`${octal(checksumOf(whole), 6)}\0 `, 148)
  whole.set(bytes, BLOCK)
  return whole
}

/** The archive is malformed. */
export class DamagedTar extends Error {}

/** The entries of an archive, each with all its bytes. Throws if the archive has no end marker. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Entry> {
  const input = reader(chunks)
  for (;;) {
    const header = Buffer.from(await input.take(BLOCK))
    if (header.every((byte) => byte === 0)) return input.end()
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    const isSound =
      header.toString('latin1', 257, 262) === 'ustar' &&
      Number.parseInt(header.toString('latin1', 148, 154), 8) === checksumOf(header) &&
      header[156] === TYPE_FILE
    if (!isSound || !(size <= maxBytes)) throw new DamagedTar('an entry has no sound header')
    const name = header.toString('utf8', 0, header.indexOf(0))
    const bytes = await input.take(size)
    await input.take(blocksOf(size) * BLOCK - size)
    yield { name, bytes }
  }
}

const blocksOf = (size: number): number => Math.ceil(size / BLOCK)
const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** The sum of the header's bytes, with the checksum field read as spaces. */
function checksumOf(header: Uint8Array): number {
  let sum = 8 * 32
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return sum
}

interface Reader {
  take: (length: number) => Promise<Uint8Array>
  /** Reads to the end, where a compressed archive has its own checksum: only zeros may follow. */
  end: () => Promise<void>
}

function reader(chunks: AsyncIterable<Uint8Array>): Reader {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  return {
    async take(length) {
      const taken = new Uint8Array(length)
      for (let at = 0; at < length;) {
        if (rest.length === 0) {
          const { done, value } = await source.next()
          if (done) throw new DamagedTar('the archive ends too early')
          rest = value
        }
        const part = rest.subarray(0, length - at)
        taken.set(part, at)
        rest = rest.subarray(part.length)
        at += part.length
      }
      return taken
    },
    async end() {
      for (;;) {
        if (rest.some((byte) => byte !== 0)) throw new DamagedTar('something comes after its end')
        const { done, value } = await source.next()
        if (done) return
        rest = value
      }
    },
  }
}
