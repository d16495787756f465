import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Every HTTP/1.1 request contains this exactly once outside its body. */
const MARK = Buffer.from('HTTP/1.')

/**
 * Makes the parser read input in batches of at most `maxRequests` requests. Otherwise it creates objects for a whole
 * packet, thousands of small requests, before the connection that sent them can be ended.
 */
export function parseInBatches(server: Server, maxRequests: number): void {
  const readers = new WeakMap<EventEmitter, (bytes: Buffer) => void>()
  const onConnection = (socket: Duplex): void => {
    // The parser's listener; there is none with HTTP/2, nor on the connection under TLS.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse) return
    const read = (bytes: Buffer): void => {
      for (let rest = bytes; rest.length > 0 && socket.writable;) {
        // Reading was handed over or paused: the rest comes again with the next read.
        if (socket.readableFlowing !== true) return socket.unshift(rest)
        const end = endOfBatch(rest, maxRequests)
        parse(rest.subarray(0, end))
        rest = rest.subarray(end)
      }
    }
    readers.set(socket, read)
    socket.on('data', read)
    socket.off('data', parse)
  }
  server.on('connection', onConnection)
  server.on('secureConnection', onConnection)
  // Node then removes only its own listener.
  server.prependListener('upgrade', (_, socket: Duplex) => {
    const read = readers.get(socket)
    if (read) socket.off('data', read)
  })
}

/** The end of the batch: before the first mark over the limit. */
function endOfBatch(bytes: Buffer, maxRequests: number): number {
  let at = -1
  for (let found = 0; found <= maxRequests; found += 1) {
    at = bytes.indexOf(MARK, at + 1)
    if (at === -1) return bytes.length
  }
  return at
}
