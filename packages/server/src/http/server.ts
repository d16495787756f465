import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ControlPlane, Log } from '@gantry/control-plane/environment'
import { hasDotSegment } from '@gantry/control-plane/pipeline/router'
import { getRequestListener } from '@hono/node-server'
import type { ServedCertificates } from '../tls/served-certificates.ts'
import { PendingResponses } from './pending-responses.ts'
import { boundBody, closeAfter, connectionOf, type Incoming, type Outgoing } from './connection.ts'
import { boundConnections } from './connection-bounds.ts'
import { lingerAtEnd } from './lingering-close.ts'
import { listen } from './listen.ts'
import { hostRule } from './own-hosts.ts'
import { originationOf, type Origination } from './peer.ts'
import { plainAnswer, unstored } from './plain-answer.ts'
import { endNowWith, endWith } from './raw-answer.ts'
import { type Limits, requestBounds, type Slot } from './request-bounds.ts'
import { asForwarded, pathOf, readFor, sentPathOf, upgradeRequest } from './requests.ts'
import { securityHeaders, strictTransportSecurity } from './security-headers.ts'
import { resetConnection } from './reset.ts'
import { openOn, plainServer, secureServer } from './servers.ts'
import { parseInBatches } from './request-batches.ts'
import { staticFiles } from './static-files.ts'
import { endUnread } from './unread.ts'
import { webSockets } from './web-sockets.ts'

export interface HttpOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Folder of the built console. */
  consoleDir: string
  origins: readonly string[]
  /** The DNS zone of the silos' host names. */
  dnsZone: string
  /** Browsers reach the server by https, directly or through a proxy. */
  secure: boolean
  /** Certificates for TLS; without them, the server speaks HTTP. */
  tls?: ServedCertificates | undefined
  /** Whether to trust the proxy's `X-Forwarded-…` headers. */
  trustProxy: boolean
  limits: Limits
  log: Log
  observe?: Observe | undefined
  pingEveryMs?: number
}

interface Observed {
  method: string
  pathname: string
  /** Undefined for requests that could not be parsed. */
  area: 'api' | 'console' | undefined
  /** 499, as proxies log it, for those whose connection ended before the answer. */
  status: number
  seconds: number
}

/** Called once for every request. */
export type Observe = (request: Observed) => void

export interface HttpServer {
  port: number
  /** Accepts no more connections, ends streams and sockets, and lets the rest finish within `graceMs`. */
  stop: (graceMs: number) => Promise<void>
}

/** Nothing was sent: nginx's code, so that such requests do not count as answered with 200. */
const UNANSWERED = 499

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade'>

/** Serves the control plane and the console, with the security headers on every response. */
export async function serveHttp(controlPlane: Handled, options: HttpOptions): Promise<HttpServer> {
  const { log, trustProxy, secure, limits, observe } = options
  const baseHeaders = securityHeaders(options)
  const console = await staticFiles(options.consoleDir)
  const unreadMs = limits.unread_seconds * 1000
  const reset = (socket: Socket): void => resetConnection(socket, open.sockets)
  const sockets = webSockets({ unreadMs, pingEveryMs: options.pingEveryMs, reset })
  const foreignHost = hostRule(options)
  const enter = requestBounds(limits)
  const slots = new WeakMap<Outgoing, Slot>()
  const answering = new PendingResponses()
  const stopWatch = endUnread(() => answering.all(), unreadMs, reset)
  let isStopping = false

  const headersFor = (isHttps: boolean): Record<string, string> =>
    secure || isHttps ? { ...baseHeaders, ...strictTransportSecurity } : baseHeaders

  const tooMany = (by: Full) => ({
    status: 429,
    headers: headersFor(options.tls !== undefined),
    text: full[by],
  })

  async function answer(
    request: Request,
    { url = '' }: Incoming,
    from: Origination,
    sent: Promise<void> | undefined,
  ): Promise<Response> {
    const asked = trustProxy ? asForwarded(request, from) : request
    if (!asked) return plainAnswer(400, 'Bad request.\n')
    const target = new URL(asked.url)
    const misdirected = foreignHost(target, asked.headers.get('host'), from.reached)
    if (misdirected) return misdirected
    const path = sentPathOf(url)
    if (controlPlane.serves(asked.method, target.pathname))
      return controlPlane.fetch(asked, { address: from.address, path, ...(sent && { sent }) })
    if (hasDotSegment(path)) return plainAnswer(400, 'Bad request.\n')
    return console(asked, (read) =>
      controlPlane.fetch(readFor(asked, read), { address: from.address, path: sentPathOf(read) }),
    )
  }

  function observed({ method = '', url = '' }: Incoming, outgoing: Outgoing, started: number): Observed {
    const pathname = pathOf(url)
    const isApi = pathname !== undefined && controlPlane.serves(method, pathname)
    const area = pathname === undefined ? undefined : isApi ? 'api' : 'console'
    const seconds = (performance.now() - started) / 1000
    const status = outgoing.headersSent ? outgoing.statusCode : UNANSWERED
    return { method, pathname: pathname ?? '', area, status, seconds }
  }

  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const slot = slots.get(outgoing)
      const work = answer(request, incoming, originationOf(incoming, trustProxy), slot?.sent)
      const response = await (slot?.handle(work) ?? work)
      if (isEvents(response.headers.get('content-type'))) slot?.settle()
      // An unread body ends the connection, and the client learns of it before it sends more.
      if (!('stream' in incoming) && !incoming.complete) closeAfter(outgoing)
      return response
    },
    {
      errorHandler(error) {
        const isBadRequest = (error as Error).name === 'RequestError'
        if (!isBadRequest) log.error({ err: error }, 'a request could not be answered')
        return isBadRequest
          ? plainAnswer(400, 'Bad request.\n')
          : plainAnswer(500, 'Internal server error.\n')
      },
    },
  )

  const server = options.tls ? secureServer(options.tls, limits) : plainServer(limits)
  const open = openOn(server)
  parseInBatches(server, limits.requests_per_connection)
  server.on('request', (incoming: Incoming, outgoing: Outgoing) => {
    const connection = connectionOf(incoming, limits)
    // It has had its last response; the rest of the packet is ignored.
    if (!connection) return
    if (!('stream' in incoming)) lingerAtEnd(incoming)
    const started = performance.now()
    const { isHttps, address } = originationOf(incoming, trustProxy)
    const slot = enter({ connection: connection.of, maxRequests: connection.maxRequests, address })
    if (!slot) return connection.endFlood(answering.oldest(connection.of), tooMany('connection'))
    for (const [name, value] of Object.entries(headersFor(isHttps))) outgoing.setHeader(name, value)
    if (isStopping) closeAfter(outgoing)
    answering.begin(connection.of, outgoing, () => {
      slot.close()
      // Its connection was kept for the next request before the stop; now it only delays the stop.
      if (isStopping) setImmediate(() => server.closeIdleConnections())
      observe?.(observed(incoming, outgoing, started))
    })
    if (slot.full) return refuse(outgoing, slot.full)
    boundBody(incoming, limits)
    slots.set(outgoing, slot)
    void listener(incoming, outgoing)
  })
  boundConnections(server, limits, {
    trustProxy,
    log,
    // Before the handshake, no response is possible.
    refuse: (socket) => (options.tls ? socket.destroy() : endNowWith(socket, tooMany('address'))),
  })

  // Expectations other than `100-continue`; Node would answer without the headers.
  server.on('checkExpectation', (incoming: Incoming, outgoing: Outgoing) => {
    const { isHttps } = originationOf(incoming, trustProxy)
    if (!('stream' in incoming)) lingerAtEnd(incoming)
    closeAfter(outgoing)
    sendHead(outgoing, 417, { ...headersFor(isHttps), ...unstored }).end()
  })

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, a peer that resets the connection would end the process.
    socket.on('error', () => socket.destroy())
    void answerUpgrade(incoming, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'an upgrade could not be answered')
      socket.destroy()
    })
  })

  async function answerUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const from = originationOf(incoming, trustProxy)
    const answer = await upgradeAnswer(incoming, socket, from)
    await sockets.complete(incoming, socket, head, answer, headersFor(from.isHttps))
  }

  async function upgradeAnswer(incoming: IncomingMessage, socket: Duplex, from: Origination) {
    if (isStopping) return plainAnswer(503, 'The server is stopping.\n')
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket') {
      const answer = plainAnswer(426, 'Only WebSocket upgrades.\n')
      answer.headers.set('upgrade', 'websocket')
      return answer
    }
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    const request = upgradeRequest(incoming, from, gone.signal)
    if (!request) return plainAnswer(400, 'Bad request.\n')
    const target = new URL(request.url)
    const misdirected = foreignHost(target, request.headers.get('host'), from.reached)
    if (misdirected) return misdirected
    if (!controlPlane.serves('GET', target.pathname)) return plainAnswer(404, 'Not found.\n')
    return controlPlane.upgrade(request, { address: from.address, path: sentPathOf(incoming.url ?? '') })
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A failed handshake cannot be answered in HTTP.
    if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '') || !socket.writable) return void socket.destroy()
    endWith(socket, { status: statusOf[error.code ?? ''] ?? 400, headers: headersFor(false) })
  })

  const { port } = await listen(server, options)
  return {
    port,
    async stop(graceMs) {
      isStopping = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      for (const outgoing of answering.all()) {
        // An event stream must be ended; other responses may finish.
        if (isEvents(String(outgoing.getHeader('content-type')))) outgoing.end()
        else closeAfter(outgoing)
      }
      for (const session of open.sessions) session.close()
      const late = setTimeout(() => {
        for (const socket of open.sockets) socket.destroy()
      }, graceMs)
      await Promise.all([closed, sockets.close(graceMs)])
      clearTimeout(late)
      stopWatch()
    },
  }
}

/** The status for malformed requests, by error code. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

type Full = 'connection' | NonNullable<Slot['full']>

const full: Readonly<Record<Full, string>> = {
  connection: 'Too many requests on this connection. Wait for answers before you send more.\n',
  address: 'Too many requests from this address at once. Wait for answers before you send more.\n',
  server: 'The server has as many requests as it can answer at once. Try again in a moment.\n',
}

function refuse(outgoing: Outgoing, by: Full): void {
  // Pipelined requests would only be refused too.
  closeAfter(outgoing)
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...unstored, 'retry-after': '1' }
  sendHead(outgoing, by === 'server' ? 503 : 429, headers).end(full[by])
}

function sendHead(outgoing: Outgoing, status: number, headers: Record<string, string>): Outgoing {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
  outgoing.statusCode = status
  return outgoing
}

const isEvents = (type: string | null): boolean => type?.startsWith('text/event-stream') ?? false
