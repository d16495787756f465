import { unreadable } from './refusal.ts'

/** All bytes of a request, of which there may be so many. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => unreadable(`request body exceeded maximum size of ${maxBytes} bytes`)
  const told = request.headers.get('content-length')
  if (Number(told ?? 0) > maxBytes) throw tooLarge()
  // A body of known length ends there, and is read as a whole: to ask for its stream would already set up the machinery
  // that hands over each of its pieces.
  if (told !== null) return new Uint8Array(await request.arrayBuffer().catch(endedEarly))
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

/** Somebody closed the page or the connection: nobody's fault here. */
function endedEarly(): never {
  throw unreadable('the request body ended early')
}
