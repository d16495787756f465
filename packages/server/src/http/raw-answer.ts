import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const LINGER_MS = 2000

/** Ends a connection of HTTP/1.1 with an answer, where there is no response object to give it by. */
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
  socket.end(`${start}${lines.join('')}\r\n${text}`)
  // A peer that goes on sending gets no more of our time; at once, it could lose the answer.
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(late))
}

/** The same for one of a flood, whose memory is wanted back. */
export function endNowWith(socket: Duplex, answer: Parameters<typeof endWith>[1]): void {
  socket.once('finish', () => socket.destroy())
  endWith(socket, answer)
}
