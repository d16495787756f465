import type { Socket } from 'node:net'

/**
 * Ends a connection of which the client takes nothing. If it were only closed, the kernel would keep megabytes for the
 * client and offer them for minutes. `open` has the server's connections without TLS, which is what can be reset.
 */
export function resetConnection(socket: Socket, open: Iterable<Socket>): void {
  for (const one of open) if (one === socket || isUnder(one, socket)) resetAtOnce(one)
  socket.destroy()
}

const isUnder = (one: Socket, socket: Socket): boolean =>
  one.remotePort !== undefined &&
  one.remotePort === socket.remotePort &&
  one.remoteAddress === socket.remoteAddress

function resetAtOnce(socket: Socket): void {
  // Node would wait until the client has taken what is written.
  socket.destroySoon = () => void socket.destroy()
  socket.resetAndDestroy()
}
