import net from 'node:net'
import type { ByteSocket } from '@gantry/control-plane/environment'
import { cut, streamOfPieces } from '@gantry/control-plane/pipeline/pieces'
import { defaultSettings } from '@gantry/control-plane/settings'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeControlPlane } from '../testing/fake-control-plane.ts'
import { serveHttp } from './server.ts'

/** More than the buffers of both ends of a connection hold. */
const large = 32 * 1024 ** 2
const limits = { ...defaultSettings.http, unread_seconds: 1 }

/** A server with one large answer, which tells when requests were sent or given up. */
async function serving() {
  const seen = { begun: 0, over: 0, sockets: 0, socketsClosed: 0 }
  const bytes = new Uint8Array(large)
  const fake = fakeControlPlane()
  const server = await serveHttp(
    Object.assign(fake, {
      async fetch(_: Request, { sent }: { sent?: Promise<void> }) {
        seen.begun += 1
        void sent?.then(() => (seen.over += 1))
        return new Response(streamOfPieces(cut(bytes)), { headers: { 'content-length': String(large) } })
      },
      upgrade: async () => (socket: ByteSocket) => {
        seen.sockets += 1
        socket.onClose(() => (seen.socketsClosed += 1))
        for (let at = 0; at < large; at += 1024 ** 2) socket.send(bytes.subarray(at, at + 1024 ** 2))
      },
    }),
    {
      host: '127.0.0.1',
      port: 0,
      consoleDir: '/nowhere',
      origins: [],
      dnsZone: 'localhost',
      secure: false,
      trustProxy: false,
      limits,
      log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
    },
  )
  onTestFinished(() => server.stop(0))
  return { port: server.port, seen }
}

/** A connection that reads nothing. */
async function mute(port: number, text: string): Promise<{ socket: net.Socket; closed: Promise<unknown> }> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return { socket, closed }
}

test('a client that takes nothing of its answer is disconnected', async () => {
  const { port, seen } = await serving()
  const { socket, closed } = await mute(port, 'GET /v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await vi.waitFor(() => expect(seen).toMatchObject({ begun: 1, over: 1 }), 20_000)
  // The end of the connection takes a moment to arrive, in which more could be read.
  await new Promise((resolve) => setTimeout(resolve, 500))
  // Only what had arrived is left: the server's kernel does not hold the megabytes that it had taken.
  let left = 0
  socket.on('data', (bytes: Buffer) => (left += bytes.length))
  await closed
  expect(left).toBeLessThan(1024 ** 2)
})

test('even one that keeps sending', async () => {
  const { port, seen } = await serving()
  const { socket } = await mute(
    port,
    'POST /v1/large HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n',
  )
  const sending = setInterval(() => socket.write('x'), 100)
  onTestFinished(() => clearInterval(sending))
  await vi.waitFor(() => expect(seen).toMatchObject({ begun: 1, over: 1 }), 20_000)
})

test('a slow client that keeps reading gets all of its answer', async () => {
  const { port, seen } = await serving()
  const { socket, closed } = await mute(
    port,
    'GET /v1/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  )
  let received = 0
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length
    if (received < 8 * 1024 ** 2 || received > 16 * 1024 ** 2) return
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  await closed
  expect(received).toBeGreaterThan(large)
  expect(seen).toMatchObject({ begun: 1, over: 1 })
})

test('a peer that takes nothing of a WebSocket is disconnected, though it sends pongs', async () => {
  const { port, seen } = await serving()
  const { socket, closed } = await mute(
    port,
    [
      'GET /v1/echo HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      '\r\n',
    ].join('\r\n'),
  )
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
  const sending = setInterval(() => socket.write(pong), 100)
  onTestFinished(() => clearInterval(sending))
  await vi.waitFor(() => expect(seen).toMatchObject({ sockets: 1, socketsClosed: 1 }), 20_000)
  await closed
})
