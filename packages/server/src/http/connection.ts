import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { endNowWith } from './raw-answer.ts'
import type { Limits } from './request-bounds.ts'

export type Incoming = IncomingMessage | Http2ServerRequest
export type Outgoing = ServerResponse | Http2ServerResponse

/** State shared by the requests of one connection. */
export interface Connection {
  of: EventEmitter
  /** Maximum number of concurrent requests. */
  maxRequests: number
  /** Ends it for exceeding that. `oldest` is its first response that is not being sent yet. */
  endFlood: (oldest: Outgoing | undefined, answer: Parameters<typeof endNowWith>[1]) => void
}

/** Clients can reset HTTP/2 requests, but the work for them continues. */
const RESETS = 2

/** Undefined if the connection accepts no more responses. */
export function connectionOf(incoming: Incoming, limits: Limits): Connection | undefined {
  if ('stream' in incoming) {
    const { session } = incoming.stream
    if (!session || session.destroyed) return undefined
    return {
      of: session,
      maxRequests: RESETS * limits.streams_per_connection,
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
    maxRequests: limits.requests_per_connection,
    endFlood: (oldest, answer) => {
      // The oldest request gets the response, unless another one has begun; the rest get none.
      if (oldest?.headersSent) socket.destroy()
      else endNowWith(socket, answer)
    },
  }
}

/** HTTP/1.1 has its own deadline for bodies; an HTTP/2 stream is ended when its body does not arrive. */
export function boundBody(incoming: Incoming, limits: Limits): void {
  if (!('stream' in incoming) || incoming.method === 'GET' || incoming.method === 'HEAD') return
  const late = setTimeout(() => {
    if (!incoming.complete) incoming.stream.close(constants.NGHTTP2_CANCEL)
  }, limits.request_seconds * 1000)
  incoming.stream.once('close', () => clearTimeout(late.unref()))
}

/** Closes the connection after this response and those already in progress. */
export function closeAfter(outgoing: Outgoing): void {
  if ('stream' in outgoing) outgoing.stream.session?.close()
  else if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
}
