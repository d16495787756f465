/** The medium is full: nothing more can be written until something is removed. */
export class OutOfSpace extends Error {
  /** Bytes that are free, and how many of them are kept back for the database; where the store knows. */
  readonly space: { free: number; reserve: number } | undefined
  constructor(message: string, options: ErrorOptions & { space?: { free: number; reserve: number } } = {}) {
    super(message, options)
    this.space = options.space
  }
}

/**
 * Keeps the bytes of disks, snapshots and images. An object is addressed by a name without meaning
 * (`content_id`); unwritten bytes read as zero. Every call is safe to repeat, because a job may be killed
 * between any two lines and run again.
 */
export interface BlockStore {
  /** An object of `size` bytes, empty or holding what `from` holds now. Repeating it changes nothing once it exists. */
  create: (id: string, size: number, from?: string) => Promise<void>
  /** Throws `OutOfSpace` where a copy of an object would not fit. */
  needRoomFor: (id: string) => Promise<void>
  /** Bytes from `offset`; shorter than `length` only at the end of the object. */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Writes within the object's size; beyond it is an error. */
  write: (id: string, offset: number, bytes: Uint8Array) => Promise<void>
  /** Makes a range read as zero, at the cost of what was written in it. */
  zero: (id: string, offset: number, length: number) => Promise<void>
  /** SHA-256 in hex of every byte, unwritten ones included; undefined where that would be too much work here. */
  digest: (id: string) => Promise<string | undefined>
  /** Forgets the object; a missing one is no error. */
  remove: (id: string) => Promise<void>
  /** Size in bytes, or undefined where there is no such object. */
  size: (id: string) => Promise<number | undefined>
}
