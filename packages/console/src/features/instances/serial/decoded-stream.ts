/** Decodes pieces of one stream. */
interface DecodedStream {
  (piece: Uint8Array | string): string
  /** Another stream begins. */
  reset: () => void
}

/**
 * Decodes UTF-8 whose characters may be split between pieces. The terminal's own decoder loses a character where a
 * piece ends after the byte 0x80 (xterm 6.0.0).
 */
export function decodedStream(): DecodedStream {
  const create = () => new TextDecoder('utf-8', { ignoreBOM: true })
  let decoder = create()
  const decode = (piece: Uint8Array | string): string =>
    typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
  return Object.assign(decode, { reset: () => void (decoder = create()) })
}
