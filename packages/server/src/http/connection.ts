import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { endNowWith } from './raw-answer.ts'
import type { Limits } from './request-bounds.ts'

export type Incoming = IncomingMessage | Http2ServerRequest
export type Outgoing = ServerResponse | Http2ServerResponse

/** What the requests of one connection share. */
export interface Connection {
  of: EventEmitter
  /** As many of its requests are answered at once. */
  most: number
  /** Ends it for sending more than that. `oldest` is the first of its answers that is not on its way yet. */
  endFlood: (oldest: Outgoing | undefined, answer: Parameters<typeof endNowWith>[1]) => void
}

/** Those of HTTP/2 end when their client resets them, and the work for them does not. */
const RESETS = 2

/** Undefined where the connection takes no more answers. */
export function connectionOf(incoming: Incoming, limits: Limits): Connection | undefined {
  if ('stream' in incoming) {
    const { session } = incoming.stream
    if (!session || session.destroyed) return undefined
    return {
      of: session,
      most: RESETS * limits.streams_per_connection,
      endFlood: () => {
        session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
        session.destroy()
      },
    }
  }
  const { socket } = incoming
  if (!socket.writable) return undefined
  return {
    of: socket,
    most: limits.requests_per_connection,
    endFlood: (oldest, answer) => {
      // The oldest of its requests gets the answer, unless it has begun to get another; the rest get none.
      if (oldest?.headersSent) socket.destroy()
      else endNowWith(socket, answer)
    },
  }
}

/** HTTP/1.1 has a deadline for bodies of its own; a stream of HTTP/2 is ended when its body does not come. */
export function boundBody(incoming: Incoming, limits: Limits): void {
  if (!('stream' in incoming) || incoming.method === 'GET' || incoming.method === 'HEAD') return
  const late = setTimeout(() => {
    if (!incoming.complete) incoming.stream.close(constants.NGHTTP2_CANCEL)
  }, limits.request_seconds * 1000)
  incoming.stream.once('close', () => clearTimeout(late.unref()))
}

/** The last answer of its connection, besides those that are being made already. */
export function closeAfter(outgoing: Outgoing): void {
  if ('stream' in outgoing) outgoing.stream.session?.close()
  else if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
}
