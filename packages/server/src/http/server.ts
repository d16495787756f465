import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ControlPlane, Log } from '@gantry/control-plane/environment'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Answering } from './answering.ts'
import { boundConnections } from './connection-bounds.ts'
import { listen } from './listen.ts'
import { hostRule } from './own-hosts.ts'
import { originationOf, type Origination } from './peer.ts'
import { plainAnswer, unstored } from './plain-answer.ts'
import { endNowWith, endWith } from './raw-answer.ts'
import { type Full, type Limits, requestBounds, type Slot } from './request-bounds.ts'
import { asForwarded, pathOf, upgradeRequest } from './requests.ts'
import { securityHeaders, strictTransportSecurity } from './security-headers.ts'
import { staticFiles } from './static-files.ts'
import { webSockets } from './web-sockets.ts'

export interface HttpOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Folder of the built console. */
  consoleDir: string
  origins: readonly string[]
  /** Silos have their host names in it. */
  dnsZone: string
  /** Browsers reach the server by https, through a proxy in front. */
  secure: boolean
  /** The `X-Forwarded-…` headers are our own proxy's words. */
  trustProxy: boolean
  limits: Limits
  log: Log
  observe?: Observe
  pingEveryMs?: number
}

/** Told of every answered request. `area` is undefined where nobody could even read it. */
export type Observe = (request: {
  method: string
  pathname: string
  area: 'api' | 'console' | undefined
  status: number
  seconds: number
}) => void

export interface HttpServer {
  port: number
  /** Takes no more connections, ends streams and sockets, and gives the rest so long to finish. */
  stop: (graceMs: number) => Promise<void>
}

/** Longer than the idle timeouts of usual proxies, so that it is never us who closes a connection they reuse. */
const KEEP_ALIVE_MS = 75_000
const MAX_HEADER_BYTES = 16 * 1024
/** How often it is looked for requests that are too slow in coming. */
const SLOW_LOOK_MS = 1000

type Handled = Pick<ControlPlane, 'serves' | 'fetch' | 'upgrade'>

/** Serves the control plane and the console, with the security headers on whatever is answered. */
export async function serveHttp(controlPlane: Handled, options: HttpOptions): Promise<HttpServer> {
  const { log, trustProxy, secure, limits, observe = () => {} } = options
  const baseHeaders = securityHeaders(options)
  const console = staticFiles(options.consoleDir)
  const sockets = webSockets(options.pingEveryMs)
  const foreignHost = hostRule(options)
  const enter = requestBounds(limits)
  const slots = new WeakMap<ServerResponse, Slot>()
  const answering = new Answering()
  let isStopping = false

  const headersFor = (isHttps: boolean): Record<string, string> =>
    secure || isHttps ? { ...baseHeaders, ...strictTransportSecurity } : baseHeaders

  async function answer(request: Request, from: Origination): Promise<Response> {
    const asked = trustProxy ? asForwarded(request, from) : request
    const misdirected = foreignHost(asked, from.reached)
    if (misdirected) return misdirected
    const isApi = controlPlane.serves(asked.method, new URL(asked.url).pathname)
    return isApi ? await controlPlane.fetch(asked, { address: from.address }) : await console(asked)
  }

  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const slot = slots.get(outgoing as HttpBindings['outgoing'])
      const work = answer(request, originationOf(incoming as HttpBindings['incoming'], trustProxy))
      const response = await (slot?.handle(work) ?? work)
      if (isEvents(response.headers.get('content-type'))) slot?.settle()
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

  const serverOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request without a host is refused like any other that makes no address, and with the headers.
    requireHostHeader: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(limits.header_seconds, limits.request_seconds) * 1000,
    requestTimeout: limits.request_seconds * 1000,
    connectionsCheckingInterval: SLOW_LOOK_MS,
  }
  const server = createServer(serverOptions, (incoming, outgoing) => {
    // Its connection has had its last answer; what comes after it in the same packet is not for anybody.
    if (!incoming.socket.writable) return
    const started = performance.now()
    const { isHttps, address } = originationOf(incoming, trustProxy)
    const slot = enter({ connection: incoming.socket, mostThere: limits.requests_per_connection, address })
    if (slot === 'connection') return endFlood(incoming.socket)
    for (const [name, value] of Object.entries(headersFor(isHttps))) outgoing.setHeader(name, value)
    if (isStopping) outgoing.setHeader('connection', 'close')
    answering.begin(incoming.socket, outgoing, () => {
      if (typeof slot === 'object') slot.close()
      // Its connection was promised to the next request before the stop; now it only holds the stop up.
      if (isStopping) setImmediate(() => server.closeIdleConnections())
      const { method = '', url = '' } = incoming
      const pathname = pathOf(url)
      const isApi = pathname !== undefined && controlPlane.serves(method, pathname)
      const area = pathname === undefined ? undefined : isApi ? 'api' : 'console'
      const seconds = (performance.now() - started) / 1000
      observe({ method, pathname: pathname ?? '', area, status: outgoing.statusCode, seconds })
    })
    if (typeof slot === 'string') return refuse(outgoing, slot)
    slots.set(outgoing, slot)
    void listener(incoming, outgoing)
  })
  boundConnections(server, limits, {
    trustProxy,
    log,
    refuse: (socket) => endNowWith(socket, { status: 429, headers: headersFor(false), text: full.address }),
  })

  /** The oldest of its requests gets the answer, unless it has begun to get another; the rest get none. */
  function endFlood(socket: Socket): void {
    if (answering.oldest(socket)?.headersSent) socket.destroy()
    else endNowWith(socket, { status: 429, headers: headersFor(false), text: full.connection })
  }

  // What is expected besides `100-continue`; by itself Node would answer without the headers.
  server.on('checkExpectation', (incoming, outgoing) => {
    const { isHttps } = originationOf(incoming, trustProxy)
    outgoing.writeHead(417, { ...headersFor(isHttps), ...unstored, connection: 'close' }).end()
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
    const misdirected = foreignHost(request, from.reached)
    if (misdirected) return misdirected
    if (!controlPlane.serves('GET', new URL(request.url).pathname)) return plainAnswer(404, 'Not found.\n')
    return controlPlane.upgrade(request, { address: from.address })
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
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
        // A live stream never ends by itself; what else is being answered may finish.
        if (isEvents(String(outgoing.getHeader('content-type')))) outgoing.end()
        else if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
      }
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await Promise.all([closed, sockets.close(graceMs)])
      clearTimeout(late)
    },
  }
}

/** What was no request, by the code of what was wrong with it. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const full: Readonly<Record<Full, string>> = {
  connection: 'Too many requests on this connection. Wait for answers before you send more.\n',
  address: 'Too many requests from this address at once. Wait for answers before you send more.\n',
  server: 'The server has as many requests as it can answer at once. Try again in a moment.\n',
}

function refuse(outgoing: ServerResponse, by: Full): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...unstored, 'retry-after': '1' }
  outgoing.writeHead(by === 'server' ? 503 : 429, headers).end(full[by])
}

const isEvents = (type: string | null): boolean => type?.startsWith('text/event-stream') ?? false
