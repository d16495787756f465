import type { EventEmitter } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { type Pair, tlsOptions } from '../tls/pair.ts'
import { peekHello } from '../tls/peek-hello.ts'
import type { ServedCertificates } from '../tls/served-certificates.ts'
import type { Limits } from './request-bounds.ts'
import { limitResets } from './rapid-reset.ts'

/**
 * Longer than the idle timeouts of common proxies, so that the server never closes a connection they reuse.
 */
const KEEP_ALIVE_MS = 75_000
const MAX_HEADER_BYTES = 16 * 1024
/** How often slow requests are looked for. */
const SLOW_LOOK_MS = 1000
const HANDSHAKE_MS = 10_000
/** Maximum memory in MB of an HTTP/2 connection: headers, settings and unsent data. */
const SESSION_MEGABYTES = 10

/** Limits of HTTP/1.1, with or without TLS. */
const http1Options = (limits: Limits) => ({
  keepAliveTimeout: KEEP_ALIVE_MS,
  // A request without a host is refused like any other invalid URL, with the headers.
  requireHostHeader: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: Math.min(limits.header_seconds, limits.request_seconds) * 1000,
  requestTimeout: limits.request_seconds * 1000,
  connectionsCheckingInterval: SLOW_LOOK_MS,
})

export const plainServer = (limits: Limits): Server => createServer(http1Options(limits))

/** HTTP/2, and HTTP/1.1 for clients that ask for it, as browsers do for WebSockets. */
export function secureServer(certificates: ServedCertificates, limits: Limits): Server {
  const server = createSecureServer({
    ...tlsOptions,
    ...certificates.pair(),
    allowHTTP1: true,
    handshakeTimeout: HANDSHAKE_MS,
    maxSessionMemory: SESSION_MEGABYTES,
    settings: { maxConcurrentStreams: limits.streams_per_connection, maxHeaderListSize: MAX_HEADER_BYTES },
  })
  chooseCertificates(server, certificates)
  // An idle session is closed; pending requests may finish.
  server.on('session', (session) => {
    session.setTimeout(KEEP_ALIVE_MS, () => session.close())
    limitResets(session, limits.streams_per_connection)
  })
  // Open connections keep their certificate.
  certificates.onChange((pair) => server.setSecureContext({ ...tlsOptions, ...pair }))
  // HTTP/1.1 reads these options from the server object, which then behaves like an HTTP/1.1 server here.
  return Object.assign(server, http1Options(limits)) as unknown as Server
}

/**
 * Performs the handshake of a client that names a silo's host with the silo's certificate. Node's
 * `SNICallback` would add it to the server's own instead of replacing that one, and where their keys are of
 * different kinds, OpenSSL may then choose the wrong host's.
 */
function chooseCertificates(server: Http2SecureServer, certificates: ServedCertificates): void {
  const handshakes = new WeakMap<Pair, TlsServer>()
  const handshakeWith = (pair: Pair): TlsServer => {
    const kept = handshakes.get(pair)
    if (kept) return kept
    const made = createTlsServer({
      ...tlsOptions,
      ...pair,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: HANDSHAKE_MS,
    })
    // From here on it is a connection of the server like any other.
    made.on('secureConnection', (socket) =>
      server.emit('secureConnection', Object.assign(socket, { server })),
    )
    made.on('tlsClientError', (error, socket) => server.emit('tlsClientError', error, socket))
    handshakes.set(pair, made)
    return made
  }
  const [handshake] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (!handshake) throw new Error('a TLS server has no listener for connections')
  server.off('connection', handshake)
  server.on('connection', (socket: Socket) =>
    peekHello(socket, HANDSHAKE_MS, (hello) => {
      const own = hello && certificates.pairFor(hello)
      if (own) handshakeWith(own).emit('connection', socket)
      else handshake.call(server, socket)
    }),
  )
}

/** Open connections, before and after a handshake, and HTTP/2 sessions. */
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
