import net from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultSettings } from '@gantry/control-plane/settings'
import { expect, onTestFinished, test } from 'vitest'
import { fakeControlPlane } from '../testing/fake-control-plane.ts'
import { serveHttp } from './server.ts'

const MiB = 1024 ** 2
const pieceBytes = 64 * 1024
const words = `who are you? ${'.'.repeat(500)}`

/** A server that refuses requests before it reads their body. */
async function refusing(limits: Partial<typeof defaultSettings.http> = {}): Promise<number> {
  const silent = { info: () => {}, warn: () => {}, error: () => {} }
  const fetch = async () => new Response(words, { status: 401 })
  const server = await serveHttp(Object.assign(fakeControlPlane(), { fetch }), {
    host: '127.0.0.1',
    port: 0,
    consoleDir: '/nowhere',
    origins: [],
    dnsZone: 'localhost',
    secure: false,
    trustProxy: false,
    limits: { ...defaultSettings.http, ...limits },
    log: silent,
  })
  onTestFinished(() => server.stop(0))
  return server.port
}

const head = (length: number, more = '') =>
  `PUT /v1/vpc-firewall-rules HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n${more}\r\n`

/**
 * A client that reads as slowly as it sends; returns what it received, and the error that ended its
 * connection.
 */
async function put(port: number, header: string, pieces: AsyncIterable<Buffer>) {
  const socket = net.connect(port, '127.0.0.1')
  let [said, code] = ['', '']
  let sent = 0
  socket.on('error', (error: NodeJS.ErrnoException) => (code ||= error.code ?? ''))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.pause()
  socket.write(header)
  for await (const piece of pieces) {
    if (socket.destroyed || code !== '') break
    await new Promise((resolve) => socket.write(piece, resolve))
    sent += piece.length
  }
  socket.on('data', (bytes) => (said += bytes.toString()))
  socket.resume()
  await closed
  return { said, code, sent }
}

/** In pieces, so that most of it is unsent when the response arrives. */
async function* body(bytes: number): AsyncIterable<Buffer> {
  for (let left = bytes; left > 0; left -= pieceBytes) {
    yield Buffer.alloc(Math.min(left, pieceBytes), 0x20)
    await pause(1)
  }
}

test.each(['connection: close\r\n', ''])(
  'a response before the end of the body reaches a client that sends it all first (%j)',
  async (more) => {
    const port = await refusing()
    for (let round = 0; round < 20; round += 1) {
      const { said, code } = await put(port, head(MiB, more), body(MiB))
      expect([said.split('\r\n')[0], said.endsWith(words), code]).toEqual([
        'HTTP/1.1 401 Unauthorized',
        true,
        '',
      ])
    }
  },
)

test('the same for fetch', async () => {
  const port = await refusing()
  for (let round = 0; round < 20; round += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/vpc-firewall-rules`, {
      method: 'PUT',
      headers: { connection: 'close' },
      body: Readable.toWeb(Readable.from(body(MiB))),
      duplex: 'half',
    } as RequestInit)
    expect([answer.status, await answer.text()]).toEqual([401, words])
  }
})

test('requests refused for lack of space or for an unknown expectation get their response too', async () => {
  const full = await put(await refusing({ requests: 0 }), head(MiB), body(MiB))
  expect([full.said.split('\r\n')[0], full.code]).toEqual(['HTTP/1.1 503 Service Unavailable', ''])
  const expecting = await put(await refusing(), head(MiB, 'expect: wonders\r\n'), body(MiB))
  expect([expecting.said.split('\r\n')[0], expecting.code]).toEqual(['HTTP/1.1 417 Expectation Failed', ''])
})

test('nothing sent afterwards starts another request', async () => {
  const header = head(MiB, 'connection: close\r\n')
  const more = Buffer.from(head(0).repeat(20))
  async function* andMore(): AsyncIterable<Buffer> {
    yield* body(MiB)
    yield more
    yield more
  }
  const { said } = await put(await refusing(), header, andMore())
  expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})

test('a client that sends endlessly is cut off', async () => {
  const port = await refusing()
  const { sent } = await put(port, head(2 ** 40), body(256 * MiB))
  expect(sent).toBeLessThan(64 * MiB)
})

test('a client that sends slowly and endlessly is cut off', async () => {
  async function* drops(): AsyncIterable<Buffer> {
    for (;;) {
      await pause(50)
      yield Buffer.alloc(1)
    }
  }
  const { code } = await put(await refusing(), head(MiB), drops())
  expect(['EPIPE', 'ECONNRESET']).toContain(code)
})
