import type { Socket } from 'node:net'
import { type ClientHello, MAX_HELLO_BYTES, readClientHello } from './client-hello.ts'

/**
 * Reads the first message of a connection and puts it back, then calls `then`, with undefined if it is no
 * ClientHello. A connection that does not send one in time ends.
 */
export function peekHello(
  socket: Socket,
  timeoutMs: number,
  then: (hello: ClientHello | undefined) => void,
): void {
  let seen = Buffer.alloc(0)
  const end = (): void => void socket.destroy()
  const late = setTimeout(end, timeoutMs)
  const onReadable = (): void => {
    const bytes = socket.read() as Buffer | null
    if (!bytes) return
    seen = Buffer.concat([seen, bytes])
    const hello = readClientHello(seen)
    if (hello === 'more' && seen.length < MAX_HELLO_BYTES) return
    stop()
    socket.unshift(seen)
    then(hello === 'more' ? undefined : hello)
  }
  const stop = (): void => {
    clearTimeout(late)
    socket.off('readable', onReadable).off('end', end).off('error', end).off('close', stop)
  }
  socket.on('readable', onReadable).once('end', end).on('error', end).once('close', stop)
}
