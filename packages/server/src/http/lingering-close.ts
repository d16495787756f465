import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Far larger than any body of the contract, for clients that read the response only after sending everything.
 */
const MOST_BYTES = 16 * 1024 ** 2
const LINGER_MS = 2000

/** The last request on each connection. */
const lastOn = new WeakMap<Socket, IncomingMessage>()

/**
 * Ends an HTTP/1.1 connection so that its last response arrives while the client is still sending an unread
 * body. Closing at once would reset the connection, and a reset discards what the client has not read
 * yet (RFC 9112, 9.6). So our side ends, and further input is dropped for a while.
 */
export function lingerAtEnd(incoming: IncomingMessage): void {
  const { socket } = incoming
  const isKnown = lastOn.has(socket)
  lastOn.set(socket, incoming)
  if (isKnown) return
  const destroySoon = socket.destroySoon.bind(socket)
  let isLingering = false
  // Node calls this once it has sent the last response, and offers no other hook.
  socket.destroySoon = () => {
    if (isLingering) return
    if (lastOn.get(socket)?.complete || socket.destroyed) return destroySoon()
    isLingering = true
    dropTheRest(socket)
  }
}

function dropTheRest(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(late))
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > MOST_BYTES) socket.destroy()
  })
  socket.end()
  socket.resume()
}
