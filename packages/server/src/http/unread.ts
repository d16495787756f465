import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { Outgoing } from './connection.ts'

/** How often they are looked at, as a share of the limit. */
const looksPerLimit = 6

/**
 * Ends responses of which the client takes nothing for `limitMs`: each holds memory, and its request's place, until it
 * is sent. Bodies are written in pieces, so that every piece taken is noticed. Returns a function that ends the watch.
 */
export function endUnread(
  answering: () => Iterable<Outgoing>,
  limitMs: number,
  reset: (socket: Socket) => void,
): () => void {
  const stuckSince = new WeakMap<Outgoing, number>()
  const looking = setInterval(() => {
    const now = performance.now()
    for (const outgoing of answering()) {
      const written = writableOf(outgoing)
      if (!written || !isStuck(written)) continue
      const since = stuckSince.get(outgoing)
      if (since === undefined) {
        stuckSince.set(outgoing, now)
        written.once('drain', () => stuckSince.delete(outgoing))
      } else if (now - since >= limitMs) end(outgoing, reset)
    }
  }, limitMs / looksPerLimit)
  looking.unref()
  return () => clearInterval(looking)
}

/** Undefined for a response that is queued behind others of its connection. */
function writableOf(outgoing: Outgoing): Writable | undefined {
  if ('stream' in outgoing) return outgoing.stream.destroyed ? undefined : outgoing.stream
  // Node's response is a writable stream in all but its type.
  return outgoing.socket ? outgoing : undefined
}

/** Whether the next step is the client's. */
const isStuck = ({ writableNeedDrain, writableEnded, writableFinished }: Writable): boolean =>
  writableEnded ? !writableFinished : writableNeedDrain

/** Other streams of an HTTP/2 connection continue. */
function end(outgoing: Outgoing, reset: (socket: Socket) => void): void {
  if ('stream' in outgoing) return outgoing.stream.close(constants.NGHTTP2_CANCEL)
  if (outgoing.socket) reset(outgoing.socket)
  outgoing.destroy()
}
