/** The medium is full: nothing can be written until something is deleted. */
export class OutOfSpace extends Error {
  /** Free bytes, and how many of them are reserved for the database; undefined when unknown. */
  readonly space: { free: number; reserve: number } | undefined
  constructor(message: string, options: ErrorOptions & { space?: { free: number; reserve: number } } = {}) {
    super(message, options)
    this.space = options.space
  }
}

/**
 * Stores the bytes of disks, snapshots and images. Objects are addressed by an opaque name (`content_id`);
 * unwritten bytes read as zero. Every call is idempotent, because a job may be killed at any point and run
 * again.
 */
export interface BlockStore {
  /**
   * Creates an object of `size` bytes, empty or with the current contents of `from`. Does nothing if it
   * exists.
   */
  create: (id: string, size: number, from?: string) => Promise<void>
  /** Throws `OutOfSpace` if this many new bytes would not fit. */
  needRoom: (bytes: number) => Promise<void>
  /** Throws `OutOfSpace` if a copy of the object would not fit. */
  needRoomFor: (id: string) => Promise<void>
  /** Bytes from `offset`; shorter than `length` only at the end of the object. */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Which ranges may hold other bytes than zeros, of an object that is not written meanwhile. */
  written: (id: string) => Promise<(offset: number, length: number) => boolean>
  /** Writes within the object's size; beyond it is an error. */
  write: (id: string, offset: number, bytes: Uint8Array) => Promise<void>
  /** Makes a range read as zero, and frees what was written there. */
  zero: (id: string, offset: number, length: number) => Promise<void>
  /**
   * SHA-256 in hex of all bytes, including unwritten ones; undefined where computing it would be too
   * expensive.
   */
  digest: (id: string) => Promise<string | undefined>
  /** Makes the object at least so large; what is new reads as zero. */
  grow: (id: string, size: number) => Promise<void>
  /** Deletes the object; a missing one is no error. */
  remove: (id: string) => Promise<void>
  /** Size in bytes, or undefined if there is no such object. */
  size: (id: string) => Promise<number | undefined>
  /**
   * Bytes that it takes on the medium, or undefined if there is no such object. What copies share counts for each of
   * them.
   */
  occupied: (id: string) => Promise<number | undefined>
}
