/** Encodes numbers as bytes: integers in as few as possible, with the sign in the lowest bit. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  /** A natural number up to 2^53, seven bits per byte. */
  natural(value: number): void {
    this.#room(8)
    let rest = value
    while (rest >= 0x80) {
      // Divides, because shifts truncate to 32 bits.
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  /** Between -2^52 and 2^52. */
  integer(value: number): void {
    this.natural(value < 0 ? -value * 2 - 1 : value * 2)
  }

  double(value: number): void {
    this.#room(8)
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value)
    this.#length += 8
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

export class ByteReader {
  #at = 0
  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length
  }

  natural(): number {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = this.bytes[this.#at++]
      if (byte === undefined) throw new Error('a block of samples ends early')
      if (byte < 0x80) return value + byte * unit
      value += (byte - 0x80) * unit
      unit *= 0x80
    }
  }

  integer(): number {
    const value = this.natural()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  double(): number {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset)
    const value = view.getFloat64(this.#at)
    this.#at += 8
    return value
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.#at, this.#at + length)
    if (taken.length < length) throw new Error('a block of samples ends early')
    this.#at += length
    return taken
  }
}
