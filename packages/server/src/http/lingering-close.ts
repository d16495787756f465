import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Far more than any body of the contract, for clients that read their answer only after they have sent everything. */
const MOST_BYTES = 16 * 1024 ** 2
const LINGER_MS = 2000

/** The last request that came on each connection. */
const lastOn = new WeakMap<Socket, IncomingMessage>()

/**
 * Ends a connection of HTTP/1.1 so that its last answer arrives while the client still sends a body that nobody reads.
 * To close at once resets the connection, and a reset takes away what the client has not read yet (RFC 9112, 9.6). So
 * our side ends, and what still arrives is dropped for a while.
 */
export function lingerAtEnd(incoming: IncomingMessage): void {
  const { socket } = incoming
  const isKnown = lastOn.has(socket)
  lastOn.set(socket, incoming)
  if (isKnown) return
  const destroySoon = socket.destroySoon.bind(socket)
  let isLingering = false
  // Node calls it once it has handed over the last answer, and tells of that in no other way.
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
