/** A file whose header is read. */
export interface ImageFile {
  size: number
  /** Bytes from `offset`; fewer only at the end of the file. */
  read: (offset: number, length: number) => Promise<Uint8Array>
}

/** Why an image is unusable, completing "a file that …", with the next step. */
export class UnusableImage extends Error {
  constructor(
    message: string,
    readonly help: string,
  ) {
    super(message)
  }
}

export const damaged = (what: string): UnusableImage =>
  new UnusableImage(
    `is damaged: it ${what}`,
    'Check the file with qemu-img check, or get it again, then upload it again.',
  )

export const needsOtherFile = (what: string): UnusableImage =>
  new UnusableImage(
    `needs another file: it ${what}`,
    'Make one image of all its files first: qemu-img convert -O qcow2 image whole.qcow2. Then upload whole.qcow2.',
  )

export const encrypted = (): UnusableImage =>
  new UnusableImage('is encrypted', 'Decrypt it first, then upload it again.')

/** Reads exactly this many bytes, or throws that the file is truncated. */
export async function readFields(
  file: ImageFile,
  offset: number,
  length: number,
  order: ByteOrder,
): Promise<Fields> {
  if (offset + length > file.size) throw damaged('ends within its header')
  const bytes = await file.read(offset, length)
  if (bytes.length < length) throw damaged('ends within its header')
  return new Fields(bytes, order)
}

export type ByteOrder = 'big endian' | 'little endian'

/** Accessors for the numbers and texts of a header. */
export class Fields {
  readonly #view: DataView
  readonly #isLittle: boolean

  constructor(bytes: Uint8Array, order: ByteOrder) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#isLittle = order === 'little endian'
  }

  u8 = (at: number): number => this.#view.getUint8(at)
  u16 = (at: number): number => this.#view.getUint16(at, this.#isLittle)
  u32 = (at: number): number => this.#view.getUint32(at, this.#isLittle)
  /** Inexact above 2^53, which is beyond every limit. */
  u64 = (at: number): number => Number(this.#view.getBigUint64(at, this.#isLittle))
  /** For ASCII texts only. */
  text = (at: number, length: number): string =>
    new TextDecoder('latin1').decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length))
  hex = (at: number, length: number): string =>
    Array.from({ length }, (_, index) =>
      this.u8(at + index)
        .toString(16)
        .padStart(2, '0'),
    ).join('')
}
