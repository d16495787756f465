import { Refusal, unreadable } from '../context/refusal.ts'

/** Reads the whole body of a request, up to `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request)
  const tooLarge = () => unreadable(`request body exceeded maximum size of ${maxBytes} bytes`)
  const contentLength = request.headers.get('content-length')
  if (Number(contentLength ?? 0) > maxBytes) throw tooLarge()
  // Read a body of known length in one call: touching its stream would set up per-chunk machinery.
  if (contentLength !== null) return new Uint8Array(await request.arrayBuffer().catch(endedEarly))
  if (!request.body) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let size = 0
  for (const reader = request.body.getReader(); ;) {
    const { done, value } = await reader.read().catch(endedEarly)
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge()
    }
    pieces.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** The body in pieces of `pieceBytes` (the last may be shorter), for a handler that stores them as they arrive. */
export async function* readPieces(request: Request, pieceBytes: number): AsyncGenerator<Uint8Array> {
  refuseEncoded(request)
  if (!request.body) return
  const reader = request.body.getReader()
  let held = new Uint8Array(pieceBytes)
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(endedEarly)
      if (done) break
      for (let at = 0; at < value.length;) {
        const part = value.subarray(at, at + pieceBytes - size)
        held.set(part, size)
        size += part.length
        at += part.length
        if (size < pieceBytes) continue
        yield held
        held = new Uint8Array(pieceBytes)
        size = 0
      }
    }
    if (size > 0) yield held.subarray(0, size)
  } finally {
    // The consumer may have stopped early.
    await reader.cancel().catch(() => undefined)
  }
}

/** A compressed body would be read as text or stored as it is. */
function refuseEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding === null || encoding.trim().toLowerCase() === 'identity' || encoding.trim() === '') return
  throw new Refusal(
    undefined,
    `unsupported content-encoding: ${encoding.slice(0, 64)}`,
    { help: 'Send the body without a content-encoding.' },
    415,
  )
}

/** The client disconnected, which is not an error of the server. */
function endedEarly(): never {
  throw unreadable('the request body ended early')
}
