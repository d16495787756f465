import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const LINGER_MS = 2000

/** Ends an HTTP/1.1 connection with a response, where there is no response object. */
export function endWith(
  socket: Duplex,
  { status, headers, text = '' }: { status: number; headers: Record<string, string>; text?: string },
): void {
  const all = {
    ...headers,
    ...(text === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  endSoon(socket, `${start}${lines.join('')}\r\n${text}`)
}

/** Sends the last bytes of a connection. */
export function endSoon(socket: Duplex, bytes: string | Buffer): void {
  socket.end(bytes)
  // A peer that keeps sending gets no more time; closing at once could lose the response.
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(late))
}

/** The same during a flood, to free the memory at once. */
export function endNowWith(socket: Duplex, answer: Parameters<typeof endWith>[1]): void {
  socket.once('finish', () => socket.destroy())
  endWith(socket, answer)
}
