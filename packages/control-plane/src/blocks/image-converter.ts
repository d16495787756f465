import type { PackedFormat } from '@gantry/api/image-format.rules'

/** Converts uploaded files to raw images, in processes that can read nothing else of the host. */
export interface ImageConverter {
  /** Why files of a format are not converted here, as a sentence without its full stop; undefined if they are. */
  whyNot: (format: PackedFormat) => Promise<string | undefined>
  /**
   * Makes a raw image of an object of the block store, as a new object, which is complete or absent. A process that is
   * killed leaves no more than `discard` removes; one that is still at work there fails with `ConversionDiscarded`.
   */
  convert: (conversion: ImageConversion) => Promise<void>
  /** Removes what conversions to this object have left, except the object itself. */
  discard: (to: string) => Promise<void>
}

export interface ImageConversion {
  /** Both are objects of the block store. */
  from: string
  to: string
  format: PackedFormat
  /** The size of the image is a multiple of it. */
  blockSize: number
  /** Maximum size of the image. */
  maxBytes: number
  /** Called before the conversion holds this many bytes in total; throws to refuse. */
  reserve: (bytes: number) => Promise<void>
  progress: (percent: number) => void
  signal: AbortSignal
}

/** The file cannot be converted, as a sentence for its owner. */
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
