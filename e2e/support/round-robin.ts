import http from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'

export interface RoundRobin {
  url: string
  close: () => Promise<void>
}

/**
 * A minimal round-robin proxy: each request and WebSocket goes to the next server, alive or not. It never
 * retries; without a response from the server it returns 502.
 */
export async function roundRobin(servers: () => readonly string[]): Promise<RoundRobin> {
  let count = 0
  const next = (): string => {
    const all = servers()
    return all[count++ % all.length] ?? ''
  }
  const proxy = http.createServer((incoming, outgoing) => pass(incoming, outgoing, next()))
  proxy.on('upgrade', (incoming: http.IncomingMessage, socket: Duplex, head: Buffer) =>
    join(incoming, socket, head, next()),
  )
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as net.AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function pass(incoming: http.IncomingMessage, outgoing: http.ServerResponse, server: string): void {
  const { method, headers, url = '/' } = incoming
  // A new connection for each request: a kept one could belong to a killed server.
  const forwarded = http.request(new URL(url, server), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    // A stream starts with headers alone.
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  forwarded.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('That server does not answer.\n')
  })
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

function join(incoming: http.IncomingMessage, socket: Duplex, head: Buffer, server: string): void {
  const { hostname, port } = new URL(server)
  const upstream = net.connect(Number(port), hostname, () => {
    const { method, url, rawHeaders } = incoming
    const lines = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`]))
    upstream.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  const end = (): void => {
    upstream.destroy()
    socket.destroy()
  }
  upstream.on('error', end).on('close', end)
  socket.on('error', end).on('close', end)
}
