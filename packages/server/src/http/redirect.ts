import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ControlPlane, Log } from '@gantry/control-plane/environment'
import { boundConnections } from './connection-bounds.ts'
import { listen } from './listen.ts'
import { type HostOptions, hostRule } from './own-hosts.ts'
import { originationOf } from './peer.ts'
import { unstored } from './plain-answer.ts'
import { endNowWith, endWith } from './raw-answer.ts'
import type { Limits } from './request-bounds.ts'
import { requestUrl } from './requests.ts'
import { securityHeaders } from './security-headers.ts'
import { openOn, plainServer } from './servers.ts'
import { parseInBatches } from './request-batches.ts'
import { warnSeldom } from './warn-seldom.ts'

interface RedirectOptions extends HostOptions {
  port: number
  /** The https port. */
  httpsPort: number
  limits: Limits
  log: Log
}

const noApi = 'The API is not served without encryption. Use https.\n'
const revoke =
  'What you sent to sign in could be read on the way. End the session, or revoke the token, and use https with a new one.\n'

/**
 * Serves only redirects to https, and closes each connection. Pages are redirected but API calls are refused:
 * otherwise a client with the wrong URL would send its token unencrypted with each call, unnoticed.
 */
export async function serveRedirects({ serves }: Pick<ControlPlane, 'serves'>, options: RedirectOptions) {
  const { limits, log } = options
  const headers = { ...securityHeaders(options), ...unstored, connection: 'close' }
  const misdirected = hostRule(options)
  const warn = warnSeldom(log)
  const server = plainServer(limits)
  const open = openOn(server)
  parseInBatches(server, 1)
  const refuse = (outgoing: ServerResponse, status: number, text: string): void =>
    void outgoing.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text)

  const answered = new WeakSet<Socket>()

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming
    // One response closes the connection; a client that sends more did not wait for it.
    if (answered.has(socket)) return void socket.destroy()
    answered.add(socket)
    const { method = '', headers: asked } = incoming
    const { address, reached } = originationOf(incoming, false)
    const url = urlOf(incoming)
    if (!url) return refuse(outgoing, 400, 'Bad request.\n')
    const foreign = misdirected(url, url.host, reached)
    if (foreign) return refuse(outgoing, foreign.status, await foreign.text())
    const hasSecret = asked.authorization !== undefined || asked.cookie !== undefined
    if (serves(method, url.pathname) || (method !== 'GET' && method !== 'HEAD')) {
      if (hasSecret) warn({ address }, 'a token or cookie was sent without encryption; it should be revoked')
      return refuse(outgoing, 403, hasSecret ? noApi + revoke : noApi)
    }
    outgoing.writeHead(308, { ...headers, location: httpsUrl(url, options) }).end()
  }
  server.on('request', (incoming, outgoing) => {
    void answer(incoming, outgoing).catch((error: unknown) => {
      log.error({ err: error }, 'a request could not be redirected')
      incoming.socket.destroy()
    })
  })
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => socket.destroy())
    endWith(socket, { status: 403, headers, text: noApi })
  })
  server.on('clientError', (_, socket) => {
    if (socket.writable) endWith(socket, { status: 400, headers })
    else socket.destroy()
  })
  boundConnections(server, limits, {
    trustProxy: false,
    log,
    refuse: (socket) =>
      endNowWith(socket, { status: 429, headers, text: 'Too many connections from this address.\n' }),
  })

  const { port } = await listen(server, options, '--http-port')
  return {
    port,
    stop: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open.sockets) socket.destroy()
      await closed
    },
  }
}

function urlOf({ url = '', headers }: IncomingMessage): URL | undefined {
  return url.startsWith('/') && headers.host ? requestUrl(`http://${headers.host}${url}`) : undefined
}

/** The configured origin of that name; otherwise the https port. */
function httpsUrl({ hostname, pathname, search }: URL, { origins, httpsPort }: RedirectOptions): string {
  const configured = origins
    .map((origin) => new URL(origin))
    .find((origin) => origin.protocol === 'https:' && origin.hostname === hostname)
  const at = configured?.origin ?? new URL(`https://${hostname}:${httpsPort}`).origin
  return `${at}${pathname}${search}`
}
