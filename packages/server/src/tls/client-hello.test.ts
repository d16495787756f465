import net from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { readClientHello } from './client-hello.ts'

/** The first message of a real client. */
async function helloOf(options: tls.ConnectionOptions): Promise<Buffer> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const arrived = new Promise<Buffer>((resolve) =>
    server.once('connection', (socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes: Buffer) => {
        socket.destroy()
        resolve(bytes)
      })
    }),
  )
  const { port } = server.address() as net.AddressInfo
  tls.connect({ port, host: '127.0.0.1', ...options }).on('error', () => {})
  return arrived
}

test('reads the name, signature schemes and curves that a client offers', async () => {
  const sigalgs = 'ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256'
  const bytes = await helloOf({ servername: 'acme.sys.example', sigalgs, ecdhCurve: 'P-256:X25519' })
  expect(readClientHello(bytes)).toEqual({
    serverName: 'acme.sys.example',
    signatureSchemes: [0x0403, 0x0804],
    groups: [23, 29],
  })
})

test('reads a client that names no host', async () => {
  expect(readClientHello(await helloOf({}))).toMatchObject({ serverName: undefined })
})

test('asks for more until the message is complete', async () => {
  const bytes = await helloOf({ servername: 'acme.sys.example' })
  for (let length = 0; length < bytes.length; length += 1)
    expect(readClientHello(bytes.subarray(0, length))).toBe('more')
})

test('reads a message that spans records', async () => {
  const bytes = await helloOf({ servername: 'acme.sys.example' })
  const record = (part: Buffer) => Buffer.concat([Buffer.from([22, 3, 1, 0, part.length]), part])
  const body = bytes.subarray(5)
  const parts = Array.from({ length: Math.ceil(body.length / 200) }, (_, at) =>
    record(body.subarray(at * 200, at * 200 + 200)),
  )
  expect(readClientHello(Buffer.concat(parts))).toEqual(readClientHello(bytes))
})

test.each([
  ['a request without TLS', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['another message', Buffer.from([22, 3, 1, 0, 5, 2, 0, 0, 1, 0])],
  ['many empty records', Buffer.alloc(100, Buffer.from([22, 3, 1, 0, 0]))],
  ['a message of garbage', Buffer.from([22, 3, 1, 0, 8, 1, 0, 0, 4, 9, 9, 9, 9])],
])('%s is none', (_, bytes) => expect(readClientHello(bytes)).toBeUndefined())

test('no change of a byte throws', async () => {
  const bytes = await helloOf({ servername: 'acme.sys.example' })
  for (let at = 0; at < bytes.length; at += 1)
    for (const value of [0, 1, 127, 255]) {
      const changed = Buffer.from(bytes)
      changed[at] = value
      expect(() => readClientHello(changed)).not.toThrow()
    }
})
