import type { FileHandle } from 'node:fs/promises'
import { CHUNK } from '../blocks/block-paths.ts'
import { writeFully } from '../blocks/block-files-io.ts'
import type { FreeSpace } from '../space/free-space.ts'

/** Smaller runs of zeros are written. */
const BLOCK = 64 * 1024
const zeros = Buffer.alloc(BLOCK)

/** Writes bytes in order, except zeros, so that they become holes. */
export class SparseWriter {
  /** One byte for each chunk: whether it holds more than holes. */
  readonly #written: Uint8Array
  readonly #file: FileHandle
  readonly #space: FreeSpace
  readonly #buffer = Buffer.alloc(CHUNK)
  #held = 0
  #flushed = 0

  constructor(file: FileHandle, maxBytes: number, space: FreeSpace) {
    this.#file = file
    this.#space = space
    this.#written = new Uint8Array(Math.ceil(maxBytes / CHUNK))
  }

  /** Bytes so far, zeros included. */
  get size(): number {
    return this.#flushed + this.#held
  }

  /** The caller enforces the maximum. */
  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + CHUNK - this.#held)
      this.#buffer.set(part, this.#held)
      this.#held += part.length
      at += part.length
      if (this.#held === CHUNK) await this.#flush()
    }
  }

  /** The map of written chunks of the whole file. */
  async end(): Promise<Uint8Array> {
    await this.#flush()
    return this.#written.slice(0, Math.ceil(this.#flushed / CHUNK))
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#held)
    for (const [from, to] of runs(bytes)) {
      this.#written[Math.floor(this.#flushed / CHUNK)] = 1
      const run = bytes.subarray(from, to)
      await this.#space.taking(run.length, () => writeFully(this.#file, run, this.#flushed + from))
    }
    this.#flushed += this.#held
    this.#held = 0
  }
}

/** The nonzero parts of a chunk, in whole blocks. */
function runs(bytes: Buffer): [from: number, to: number][] {
  const found: [number, number][] = []
  for (let from = 0; from < bytes.length; from += BLOCK) {
    const to = Math.min(bytes.length, from + BLOCK)
    if (zeros.subarray(0, to - from).equals(bytes.subarray(from, to))) continue
    const last = found.at(-1)
    if (last?.[1] === from) last[1] = to
    else found.push([from, to])
  }
  return found
}
