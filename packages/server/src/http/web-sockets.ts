import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ByteSocket } from '@gantry/control-plane/environment'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { endSoon } from './raw-answer.ts'

const MAX_MESSAGE_BYTES = 1024 * 1024
/** Longer than a network hiccup, shorter than the idle limits of proxies and firewalls. */
const PING_EVERY_MS = 25_000
/** WebSocket's own limit on a close frame's reason. */
const MAX_REASON_BYTES = 123
const GOING_AWAY = 1001

export interface WebSockets {
  /** Completes an upgrade: sends the refusal as HTTP, or passes the open socket to its handler. */
  complete: (
    incoming: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    answer: Response | ((socket: ByteSocket) => void),
    headers: Record<string, string>,
  ) => Promise<void>
  /** Tells every peer that the server is going away, and drops those that do not respond in time. */
  close: (graceMs: number) => Promise<void>
}

interface Timing {
  /** A peer that takes nothing of what was sent to it for this long is disconnected. */
  unreadMs: number
  pingEveryMs?: number | undefined
  /** Ends a connection whose peer takes nothing. */
  reset: (socket: Socket) => void
}

export function webSockets({ unreadMs, pingEveryMs = PING_EVERY_MS, reset }: Timing): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    // Serial output hardly repeats, and a compressor per socket costs memory.
    perMessageDeflate: false,
  })
  const headersOf = new WeakMap<IncomingMessage, Record<string, string>>()
  server.on('headers', (lines, incoming) => {
    lines.push(...Object.entries(headersOf.get(incoming) ?? {}).map(([name, value]) => `${name}: ${value}`))
  })
  server.on('wsClientError', (error, socket, incoming) => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'sec-websocket-version': '13',
    }
    void refuse(
      socket,
      new Response(`${error.message}.\n`, { status: 400, headers }),
      headersOf.get(incoming) ?? {},
    )
  })
  const alive = new WeakSet<WebSocket>()
  const connections = new WeakMap<WebSocket, Duplex>()
  function drop(socket: WebSocket): void {
    const connection = connections.get(socket)
    if (connection instanceof Socket) reset(connection)
    socket.terminate()
  }
  // A vanished peer sends no close frame; one that missed a whole round counts as gone.
  const pinging = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) drop(socket)
      else socket.ping()
    }
  }, pingEveryMs).unref()
  const unread = new Unread()
  const looking = setInterval(() => {
    for (const socket of server.clients) if (unread.isOver(socket, unreadMs)) drop(socket)
  }, unreadMs / 6).unref()

  return {
    async complete(incoming, socket, head, answer, headers) {
      if (answer instanceof Response) return refuse(socket, answer, headers)
      if (socket.destroyed) return
      headersOf.set(incoming, headers)
      server.handleUpgrade(incoming, socket, head, (open) => {
        alive.add(open)
        connections.set(open, socket)
        open.on('pong', () => alive.add(open))
        // An error is followed by a close, which is all that the control plane needs to know.
        open.on('error', () => {})
        answer(byteSocket(open, unread))
      })
    },

    async close(graceMs) {
      clearInterval(pinging)
      clearInterval(looking)
      const closed = [...server.clients].map(
        (socket) => new Promise((resolve) => socket.once('close', resolve)),
      )
      for (const socket of server.clients) socket.close(GOING_AWAY, 'the server is stopping')
      const late = setTimeout(() => {
        for (const socket of server.clients) socket.terminate()
      }, graceMs)
      await Promise.all(closed)
      clearTimeout(late)
    },
  }
}

/** Since when each socket has taken none of the frames sent to it; a peer may send pongs without reading a ping. */
class Unread {
  readonly #since = new WeakMap<WebSocket, { frames: number; at: number }>()

  sent(socket: WebSocket): () => void {
    const pending = this.#since.get(socket) ?? { frames: 0, at: 0 }
    this.#since.set(socket, pending)
    if (pending.frames === 0) pending.at = performance.now()
    pending.frames += 1
    return () => {
      pending.frames -= 1
      pending.at = performance.now()
    }
  }

  isOver(socket: WebSocket, limitMs: number): boolean {
    const { frames = 0, at = 0 } = this.#since.get(socket) ?? {}
    return frames > 0 && performance.now() - at >= limitMs
  }
}

function byteSocket(socket: WebSocket, unread: Unread): ByteSocket {
  return {
    send(bytes) {
      if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: true }, unread.sent(socket))
    },
    close(code, reason) {
      socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString())
    },
    onBytes(listener) {
      socket.on('message', (data: RawData, isBinary: boolean) => {
        if (isBinary) listener(bytesOf(data))
      })
    },
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener()
      else socket.once('close', listener)
    },
    buffered: () => socket.bufferedAmount,
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/** The refusal as raw HTTP, because an upgrade has no response object. */
async function refuse(socket: Duplex, response: Response, headers: Record<string, string>): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const all = new Headers(headers)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') all.set(name, value)
  for (const cookie of response.headers.getSetCookie()) all.append('set-cookie', cookie)
  all.set('connection', 'close')
  all.set('content-length', String(body.length))
  const lines = [...all].map(([name, value]) => `${name}: ${value}`)
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`
  endSoon(socket, Buffer.concat([Buffer.from(`${[status, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), body]))
  // A socket is not read after an upgrade, and behind unread input the peer's end goes unnoticed.
  socket.resume()
}
