import { unreadable } from './refusal.ts'

/** Reads the whole body of a request, up to `maxBytes`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
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

/** The client disconnected, which is not an error of the server. */
function endedEarly(): never {
  throw unreadable('the request body ended early')
}
