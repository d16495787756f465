/** How much of a body is handed to the transport at once: it takes the next piece when the reader has taken this one. */
export const pieceBytes = 64 * 1024

/** Cuts bytes into pieces, without copying them. */
export function* cut(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** A stream of these pieces, each produced when the reader asks for it. */
export function streamOfPieces(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const left = pieces[Symbol.iterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = left.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The same stream in pieces. `hold` is told of the bytes that it keeps until the reader takes them. */
export function inPieces(
  stream: ReadableStream<Uint8Array>,
  hold: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let kept: Uint8Array = new Uint8Array()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (kept.length === 0) {
          const { value, done } = await reader.read()
          if (done) return controller.close()
          kept = value
          hold(kept.length)
        }
        const piece = kept.subarray(0, pieceBytes)
        kept = kept.subarray(pieceBytes)
        hold(-piece.length)
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
