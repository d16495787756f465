/** Fetches files from URLs that users supply. */
export interface Downloads {
  /**
   * Asks for a file, or for the rest of one. Rejects with `DownloadFailed`, and so do the pieces. The connection ends with
   * the signal, and when the pieces are no longer read.
   */
  open: (url: string, from: DownloadedPart | undefined, signal: AbortSignal) => Promise<Download>
}

/** What is there of a file. */
export interface DownloadedPart {
  offset: number
  /** Only the rest of this same file is of use. */
  validator: string
}

export interface Download {
  /** Bytes of the whole file; undefined if the server does not say. */
  size: number | undefined
  /** Where the pieces begin: where they were asked for, or at the beginning. */
  offset: number
  /** By which the server recognises the file; undefined if it cannot send the rest of one. */
  validator: string | undefined
  /** What the server calls it, in lower case and without parameters. */
  contentType: string | undefined
  pieces: AsyncIterable<Uint8Array>
}

/** A file that cannot be fetched; the message is for the user who named it. */
export class DownloadFailed extends Error {
  constructor(
    message: string,
    readonly help: string,
    /** `lasting` fails again if it is tried again. */
    readonly kind: 'lasting' | 'passing',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
