import type { Span } from '@gantry/control-plane/pipeline/ranges'
import type { LaidOut } from './written-units.ts'

interface Terms {
  /** Waits for a turn, and reads a piece in it. */
  turn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Whether the right to the bytes remains. */
  mayGoOn: () => Promise<boolean>
}

/** How often a right that ended is noticed. */
const accessMs = 1000

/**
 * A part of a file. What is before it is read too, because the digests at its end are of all of it. A stream whose right
 * has ended breaks off, so that the client notices.
 */
export function streamOfSpan(
  { pieces }: LaidOut,
  { start, length }: Span,
  { turn, mayGoOn }: Terms,
): ReadableStream<Uint8Array> {
  const source = pieces()
  const end = start + length
  let at = 0
  let checked = performance.now()
  const next = async (): Promise<Uint8Array | undefined> => {
    if (performance.now() - checked >= accessMs) {
      if (!(await mayGoOn())) throw new Error('the right to this download has ended')
      checked = performance.now()
    }
    const { done, value } = await source.next()
    return done ? undefined : value
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (at < end) {
          const piece = await turn(next)
          if (piece === undefined) throw new Error('an export ended early')
          const part = piece.subarray(Math.max(0, start - at), Math.max(0, Math.min(piece.length, end - at)))
          at += piece.length
          if (part.length === 0) continue
          controller.enqueue(part)
          if (at < end) return
        }
        controller.close()
        await source.return(undefined)
      },
      async cancel() {
        await source.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
