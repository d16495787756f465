import type { PackedFormat } from '@gantry/api/storage/image-format.rules'

/** Converts uploaded files to raw images, in processes that can read nothing else of the host. */
export interface ImageConverter {
  /** Why files of a format are not converted here, without a full stop; undefined if they are. */
  whyNot: (format: PackedFormat) => Promise<string | undefined>
  /**
   * Converts an object of the block store to a raw image in a new object, which is complete or absent. `discard` removes
   * all remnants of a killed process; a concurrent conversion then fails with `ConversionDiscarded`.
   */
  convert: (conversion: ImageConversion) => Promise<void>
  /** Removes remnants of conversions to this object, but not the object itself. */
  discard: (to: string) => Promise<void>
}

export interface ImageConversion {
  /** Both are objects of the block store. */
  from: string
  to: string
  format: PackedFormat
  /** The size of the image is a multiple of this. */
  blockSize: number
  /** Maximum size of the image. */
  maxBytes: number
  /** Called before the conversion holds this many bytes in total; throws to refuse. */
  reserve: (bytes: number) => Promise<void>
  progress: (percent: number) => void
  signal: AbortSignal
}

/** The file cannot be converted; the message is for its owner. */
export class UnusableImageFile extends Error {
  constructor(
    message: string,
    readonly help: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Another conversion to the same object, or its end, removed the files of this one. */
export class ConversionDiscarded extends Error {}
