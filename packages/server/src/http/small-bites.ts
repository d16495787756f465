import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** What no request of HTTP/1.1 can be without, and each has once outside its body. */
const MARK = Buffer.from('HTTP/1.')

/**
 * Has the parser read what arrives in bites of so many requests at most. By itself it makes objects of all that one
 * packet holds, thousands of small requests, before anybody could end the connection that sent them.
 */
export function readInBites(server: Server, most: number): void {
  const readers = new WeakMap<EventEmitter, (bytes: Buffer) => void>()
  const onConnection = (socket: Duplex): void => {
    // The parser's own; there is none where HTTP/2 is spoken, nor on the connection under TLS.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse) return
    const read = (bytes: Buffer): void => {
      for (let rest = bytes; rest.length > 0 && socket.writable;) {
        // Somebody else reads on, or nobody for now: it comes again with the next read.
        if (socket.readableFlowing !== true) return socket.unshift(rest)
        const end = biteOf(rest, most)
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
  // Node takes its own listener off then, and does not know of this one.
  server.prependListener('upgrade', (_, socket: Duplex) => {
    const read = readers.get(socket)
    if (read) socket.off('data', read)
  })
}

/** Where the bite ends: before the mark that would be one too many. */
function biteOf(bytes: Buffer, most: number): number {
  let at = -1
  for (let found = 0; found <= most; found += 1) {
    at = bytes.indexOf(MARK, at + 1)
    if (at === -1) return bytes.length
  }
  return at
}
