import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts another HTTP server for the duration of the test; returns its origin. */
export async function served(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<string> {
  const server = createServer(listener).listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
