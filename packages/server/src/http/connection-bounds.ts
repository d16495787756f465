import type { Server, Socket } from 'node:net'
import type { Log } from '@gantry/control-plane/environment'
import type { Limits } from './request-bounds.ts'
import { KeyedLimit } from './keyed-limit.ts'
import { warnSeldom } from './warn-seldom.ts'

/** Limits connections per address, unless all come from a proxy, and in total. */
export function boundConnections(
  server: Server,
  limits: Limits,
  { trustProxy, log, refuse }: { trustProxy: boolean; log: Log; refuse: (socket: Socket) => void },
): void {
  const addresses = new KeyedLimit<string>()
  const warn = warnSeldom(log)

  server.maxConnections = limits.connections
  server.on('drop', (dropped) =>
    warn(
      { address: dropped?.remoteAddress },
      'connections are refused: as many as http.connections allows are open',
    ),
  )
  if (trustProxy) return
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket
    if (addresses.enter(address, limits.connections_per_address))
      return void socket.once('close', () => addresses.leave(address))
    warn(
      { address },
      'connections of an address are refused: it has as many as http.connections_per_address allows',
    )
    refuse(socket)
  })
}
