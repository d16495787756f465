import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createSecureServer, type Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { tlsOptions } from '../tls/pair.ts'
import type { ServedCertificates } from '../tls/served-certificates.ts'
import type { Limits } from './request-bounds.ts'
import { boundResets } from './resets.ts'

/** Longer than the idle timeouts of usual proxies, so that it is never us who closes a connection they reuse. */
const KEEP_ALIVE_MS = 75_000
const MAX_HEADER_BYTES = 16 * 1024
/** How often it is looked for requests that are too slow in coming. */
const SLOW_LOOK_MS = 1000
const HANDSHAKE_MS = 10_000
/** Megabytes that one connection of HTTP/2 may hold: headers, settings and what waits to be sent. */
const SESSION_MEGABYTES = 10

/** What HTTP/1.1 is bounded by, with TLS or without. */
const http1Options = (limits: Limits) => ({
  keepAliveTimeout: KEEP_ALIVE_MS,
  // A request without a host is refused like any other that makes no address, and with the headers.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: Math.min(limits.header_seconds, limits.request_seconds) * 1000,
  requestTimeout: limits.request_seconds * 1000,
  connectionsCheckingInterval: SLOW_LOOK_MS,
})

export const plainServer = (limits: Limits): Server => createServer(http1Options(limits))

/** HTTP/2, and HTTP/1.1 for those who ask for it, as browsers do for WebSockets. */
export function secureServer(certificates: ServedCertificates, limits: Limits): Server {
  const server = createSecureServer({
    ...tlsOptions,
    ...certificates.pair(),
    allowHTTP1: true,
    SNICallback: (host, done) => done(null, certificates.contextFor(host)),
    handshakeTimeout: HANDSHAKE_MS,
    maxSessionMemory: SESSION_MEGABYTES,
    settings: { maxConcurrentStreams: limits.streams_per_connection, maxHeaderListSize: MAX_HEADER_BYTES },
  })
  // One that is not used goes; what it still waits for may come to its end.
  server.on('session', (session) => {
    session.setTimeout(KEEP_ALIVE_MS, () => session.close())
    boundResets(session, limits.streams_per_connection)
  })
  // Connections that are open keep what they began with.
  certificates.onChange((pair) => server.setSecureContext({ ...tlsOptions, ...pair }))
  // HTTP/1.1 reads these from the server itself, which then is one of HTTP/1.1 in all that is asked of it here.
  return Object.assign(server, http1Options(limits)) as unknown as Server
}

/** Connections that are open, before and after a handshake, and sessions of HTTP/2. */
export function openOn(server: Server): { sockets: Set<Socket>; sessions: Set<Http2Session> } {
  const sockets = new Set<Socket>()
  const sessions = new Set<Http2Session>()
  server.on('connection', (socket: Socket) => keepWhileOpen(sockets, socket))
  server.on('session', (session: Http2Session) => keepWhileOpen(sessions, session))
  return { sockets, sessions }
}

function keepWhileOpen<Kept extends EventEmitter>(kept: Set<Kept>, one: Kept): void {
  kept.add(one)
  one.once('close', () => kept.delete(one))
}
