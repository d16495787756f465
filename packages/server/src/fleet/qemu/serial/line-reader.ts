import { MiB } from '@gantry/api/base/bytes.rules'

/** Longer than any expected line. */
const LINE_MAX = 4 * MiB

/** Splits a stream of bytes into lines of bounded length. */
export class LineReader {
  onLine: (line: string) => void = () => {}
  readonly #max: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(max = LINE_MAX) {
    this.#max = max
  }

  /** False once a line is longer than allowed. */
  add(bytes: Buffer): boolean {
    let rest = bytes
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (this.#length + end > this.#max) return false
      const line = Buffer.concat([...this.#pieces, rest.subarray(0, end)]).toString('utf8')
      this.#pieces = []
      this.#length = 0
      rest = rest.subarray(end + 1)
      if (line.trim() !== '') this.onLine(line)
    }
    if (rest.length > 0) this.#pieces.push(rest)
    this.#length += rest.length
    return this.#length <= this.#max
  }
}
