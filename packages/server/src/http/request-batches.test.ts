import { createServer, type RequestListener } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseInBatches } from './request-batches.ts'

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

async function reading(limit: number, listener: RequestListener) {
  const server = createServer(listener)
  parseInBatches(server, limit)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  let said = ''
  const socket = net.connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('data', (bytes) => (said += bytes.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { server, socket, closed, said: () => said }
}

test('of an ended connection, no more than one bite is parsed', async () => {
  let parsed = 0
  const { socket, closed } = await reading(4, (incoming) => {
    parsed += 1
    if (parsed === 10) incoming.socket.destroy()
  })
  socket.write(get.repeat(10_000))
  await closed
  expect(parsed).toBeGreaterThanOrEqual(10)
  expect(parsed).toBeLessThanOrEqual(14)
})

test.each([1, 3, 1000])('everything is parsed in order, in bites of %i', async (limit) => {
  const bodies = Array.from({ length: 200 }, (_, index) => `${index}:${'HTTP/1.1 '.repeat(index % 7)}`)
  const { socket, said } = await reading(limit, (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (bytes: Buffer) => chunks.push(bytes))
    incoming.on('end', () => outgoing.end(`[${Buffer.concat(chunks).toString()}]`))
  })
  socket.write(
    bodies
      .map((body) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      .join(''),
  )
  await vi.waitFor(() => expect(said()).toContain('[199:'))
  const answered = [...said().matchAll(/\[(\d+:(HTTP\/1\.1 )*)\]/g)].map(([, body]) => body)
  expect(answered).toEqual(bodies)
})

test('a large body with marks in it arrives complete', async () => {
  const body = 'GET / HTTP/1.1\r\n\r\n'.repeat(100_000)
  const { socket, said } = await reading(2, (incoming, outgoing) => {
    let length = 0
    incoming.on('data', (bytes: Buffer) => {
      length += bytes.length
      // Like a slow disk.
      incoming.pause()
      setImmediate(() => incoming.resume())
    })
    incoming.on('end', () => outgoing.end(`[${length}]`))
  })
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await vi.waitFor(() => expect(said()).toContain(`[${body.length}]`), 10_000)
})

test('data after an upgrade goes to its handler', async () => {
  const { server, socket } = await reading(2, (_, outgoing) => void outgoing.end())
  let after = ''
  server.on('upgrade', (_, upgraded: Duplex, head: Buffer) => {
    after += head.toString('latin1')
    setImmediate(() => upgraded.on('data', (bytes: Buffer) => (after += bytes.toString('latin1'))))
  })
  const rest = Array.from({ length: 20 }, (_, index) => `${index} HTTP/1.1 `).join('')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n${rest}`)
  await vi.waitFor(() => expect(after).toBe(rest))
  socket.write('and more')
  await vi.waitFor(() => expect(after).toBe(`${rest}and more`))
})
