import fs from 'node:fs/promises'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { canBrowsersUse } from '@gantry/api/people/certificate.rules'
import type { SiloCertificate } from '@gantry/control-plane/environment'
import { cut, streamOfPieces } from '@gantry/control-plane/pipeline/pieces'
import { defaultSettings } from '@gantry/control-plane/settings'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { x509Certificates } from '../certificates.ts'
import { authority, ecKey, expiredCertificate, rsaKey, serverCertificate } from '../testing/certificates.ts'
import { rapidResets } from '../testing/http2-frames.ts'
import { asBrowser, handshake, keyIn, nameOf, secured, siloCertificate } from '../testing/secured.ts'
import { issue, issuedKeys } from '../testing/self-signed.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { serveCertificates } from '../tls/served-certificates.ts'

function session(port: number): http2.ClientHttp2Session {
  const client = http2.connect(`https://acme.sys.example:${port}`, {
    ca: authority,
    createConnection: (url) =>
      tls.connect({
        port: Number(url.port),
        host: '127.0.0.1',
        ca: authority,
        servername: url.hostname,
        ALPNProtocols: ['h2'],
      }),
  })
  client.on('error', () => {})
  onTestFinished(() => client.destroy())
  return client
}

function ask(client: http2.ClientHttp2Session, headers: http2.OutgoingHttpHeaders, body?: string) {
  return new Promise<{ headers: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader; text: string }>(
    (resolve, reject) => {
      const stream = client.request(headers)
      let answered: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {}
      let text = ''
      stream.on('response', (given) => (answered = given))
      stream.on('data', (bytes) => (text += String(bytes)))
      stream.on('end', () => resolve({ headers: answered, text }))
      stream.on('error', reject)
      stream.end(body)
    },
  )
}

test('browsers get HTTP/2, and others HTTP/1.1', async () => {
  const { port } = await secured()
  const offered = async (ALPNProtocols?: string[]) =>
    (await handshake(port, ALPNProtocols && { ALPNProtocols })).alpnProtocol
  expect([await offered(['h2', 'http/1.1']), await offered(['http/1.1']), await offered()]).toEqual([
    'h2',
    'http/1.1',
    false,
  ])
})

test('over HTTP/2 the API works as usual, and knows that it is https', async () => {
  const { port } = await secured()
  const { headers, text } = await ask(
    session(port),
    { ':path': '/v1/me?a=1', ':method': 'POST' },
    'x'.repeat(100_000),
  )
  expect(headers).toMatchObject({
    ':status': 200,
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
  })
  expect(JSON.parse(text)).toMatchObject({
    url: `https://acme.sys.example:${port}/v1/me?a=1`,
    method: 'POST',
    address: '127.0.0.1',
    length: 100_000,
  })
})

test('and over HTTP/1.1', async () => {
  const { port } = await secured()
  const answer = await new Promise<{ status: number | undefined; text: string; hsts: unknown }>(
    (resolve, reject) => {
      https
        .get(
          {
            port,
            host: '127.0.0.1',
            path: '/v1/me',
            ca: authority,
            servername: 'acme.sys.example',
            agent: false,
          },
          (response) => {
            let text = ''
            response.on('data', (bytes) => (text += String(bytes)))
            response.on('end', () =>
              resolve({
                status: response.statusCode,
                text,
                hsts: response.headers['strict-transport-security'],
              }),
            )
          },
        )
        .on('error', reject)
    },
  )
  expect(answer).toMatchObject({ status: 200, hsts: expect.any(String) })
  expect(JSON.parse(answer.text).url).toMatch(/^https:\/\/127\.0\.0\.1:/)
})

test('a foreign host is refused in either place of HTTP/2', async () => {
  const { port } = await secured()
  const client = session(port)
  const status = async (headers: http2.OutgoingHttpHeaders) =>
    (await ask(client, { ':path': '/v1/me', ...headers })).headers[':status']
  expect(await status({ ':authority': 'evil.example' })).toBe(421)
  expect(await status({ host: 'evil.example' })).toBe(421)
  expect(await status({})).toBe(200)
})

test('a serial console opens beside it', async () => {
  const { port } = await secured()
  const trusting: https.RequestOptions = { ca: authority, servername: 'acme.sys.example' }
  const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/echo`, trusting)
  const echoed = new Promise((resolve) => socket.once('message', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(Buffer.from([1, 2, 3]))
  expect(await echoed).toEqual(Buffer.from([1, 2, 3]))
  socket.terminate()
})

test.each(['TLSv1', 'TLSv1.1'] as const)('%s is not supported', async (maxVersion) => {
  const { port } = await secured()
  const old = handshake(port, { maxVersion, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })
  await expect(old).rejects.toThrow(/protocol version/i)
})

test('each silo is served with its own certificate, and everyone else with the file', async () => {
  const listed = [siloCertificate('1', 'acme.sys.example', { cert: serverCertificate, key: ecKey })]
  const { port } = await secured({ ofSilos: async () => listed })
  const served = async (servername: string) => nameOf(await handshake(port, { servername }))
  expect(await served('acme.sys.example')).toBe('DNS:acme.sys.example')
  expect(await served('ACME.sys.example')).toBe('DNS:acme.sys.example')
  expect(await served('other.sys.example')).toBe('DNS:*.sys.example')
  const nameless = await handshake(port, { servername: '', checkServerIdentity: () => undefined })
  expect(nameOf(nameless)).toBe('DNS:*.sys.example')
})

const host = 'acme.sys.example'

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('over %s', (version) => {
  const only = { minVersion: version, maxVersion: version } satisfies tls.ConnectionOptions

  test.each([
    ['RSA', 'EC P-256'],
    ['EC P-256', 'RSA'],
    ['EC P-384', 'EC P-256'],
  ] as const)('a silo with a key of %s is served with its own, beside a file of %s', async (own, other) => {
    const file = issue({ host: 'other.example', key: other })
    const listed = [siloCertificate('1', host, issue({ host, key: own }))]
    const { port } = await secured({ ...file, ofSilos: async () => listed })
    const socket = await handshake(port, { ...asBrowser, ...only })
    expect([nameOf(socket), keyIn(socket)]).toEqual([`DNS:${host}`, own])
  })

  test.each(issuedKeys.filter((key) => !canBrowsersUse(key)))(
    'a newer key of %s displaces none that browsers can use',
    async (key) => {
      const listed = [
        siloCertificate('2', host, issue({ host, key })),
        siloCertificate('1', host, issue({ host, key: 'EC P-256' })),
      ]
      const { port } = await secured({ ofSilos: async () => listed })
      expect(keyIn(await handshake(port, { ...asBrowser, ...only }))).toBe('EC P-256')
    },
  )
})

test('a client gets the newest certificate that it can use', async () => {
  const listed = [
    siloCertificate('2', host, issue({ host, key: 'Ed25519' })),
    siloCertificate('1', host, issue({ host, key: 'RSA' })),
  ]
  const { port } = await secured({ ofSilos: async () => listed })
  const served = async (sigalgs: string) => keyIn(await handshake(port, { ...asBrowser, sigalgs }))
  expect(await served('ed25519:rsa_pss_rsae_sha256')).toBe('Ed25519')
  expect(await served('rsa_pss_rsae_sha256')).toBe('RSA')
})

test('a certificate is served from the day on which it is valid', async () => {
  let now = new Date('2026-01-01')
  const future = issue({ host, from: '20300101000000Z', until: '20310101000000Z', key: 'RSA' })
  const listed = [
    siloCertificate('2', host, future),
    siloCertificate('1', host, issue({ host, key: 'EC P-256' })),
  ]
  const file = issue({ host: 'other.example' })
  const { port } = await secured({ ...file, ofSilos: async () => listed, clock: () => now })
  expect(keyIn(await handshake(port, asBrowser))).toBe('EC P-256')
  now = new Date('2030-06-01')
  await vi.waitFor(async () => expect(keyIn(await handshake(port, asBrowser))).toBe('RSA'))
})

test('a connection of a silo with its own certificate is bounded like any other', async () => {
  const listed = [siloCertificate('1', host, issue({ host, key: 'RSA' }))]
  const { port } = await secured({
    ofSilos: async () => listed,
    limits: { request_seconds: 1, header_seconds: 1 },
  })
  const slow = await handshake(port, { ...asBrowser, ALPNProtocols: ['http/1.1'] })
  let said = ''
  slow.on('data', (bytes) => (said += String(bytes))).on('error', () => {})
  slow.write('GET / HTTP/1.1\r\nHost: x')
  await new Promise((resolve) => slow.once('close', resolve))
  expect(said).toMatch(/^HTTP\/1\.1 408 /)
})

test('a connection that is no handshake ends unanswered', async () => {
  const { port } = await secured()
  const socket = net.connect(port, '127.0.0.1')
  let said = ''
  socket.on('error', () => {}).on('data', (bytes) => (said += String(bytes)))
  socket.write('GET / HTTP/1.1\r\n\r\n')
  await new Promise((resolve) => socket.once('close', resolve))
  expect(said).not.toContain('HTTP/')
})

test('a first message in single bytes is read', async () => {
  const listed = [siloCertificate('1', host, issue({ host, key: 'RSA' }))]
  const { port } = await secured({ ofSilos: async () => listed })
  const raw = net.connect(port, '127.0.0.1').setNoDelay(true)
  const bytewise = new Duplex({
    read: () => {},
    write(bytes: Buffer, _, done) {
      void (async () => {
        for (const byte of bytes) await new Promise((resolve) => raw.write(Buffer.of(byte), resolve))
        done()
      })()
    },
  })
  raw.on('data', (bytes) => bytewise.push(bytes))
  onTestFinished(() => void raw.destroy())
  expect(keyIn(await handshake(port, { ...asBrowser, socket: bytewise }))).toBe('RSA')
})

test('users of a silo sign in and work at its host, with its initial certificate', async () => {
  const bed = await testControlPlane({
    environment: { certificates: x509Certificates, dnsZone: 'example', secure: true },
  })
  onTestFinished(bed.stop)
  const operator = await bed.signIn('admin')
  const made = await operator.post('/v1/system/silos', {
    name: 'acme',
    description: '',
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 0, memory: 0, storage: 0 },
    tls_certificates: [
      { name: 'tls', description: '', cert: serverCertificate, key: ecKey, service: 'external_api' },
    ],
  })
  await bed.addUser('somebody', { siloId: made.body.id, roles: [{ at: 'silo', role: 'admin' }] })
  const { port } = await secured({
    ofSilos: bed.plane.certificates,
    plane: bed.plane,
    origins: ['https://gantry.example'],
  })
  expect(nameOf(await handshake(port))).toBe('DNS:acme.sys.example')

  const client = session(port)
  const own = { origin: `https://acme.sys.example:${port}`, 'content-type': 'application/json' }
  const post = (where: string, headers: http2.OutgoingHttpHeaders, body: object) =>
    ask(client, { ':path': where, ':method': 'POST', ...own, ...headers }, JSON.stringify(body))
  const signedIn = await post('/v1/login/acme/local', {}, { username: 'somebody', password: 'correct horse' })
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Secure; /)
  const project = { name: 'web', description: '' }
  const write = async (headers: http2.OutgoingHttpHeaders) =>
    (await post('/v1/projects', { cookie: cookie.split(';')[0], ...headers }, project)).headers[':status']
  expect(await write({ origin: 'https://evil.example' })).toBe(403)
  expect(await write({})).toBe(201)
})

test("a silo's added or removed certificate takes effect without a restart", async () => {
  let listed: SiloCertificate[] = []
  const { port } = await secured({ ofSilos: async () => listed })
  const served = async () => nameOf(await handshake(port))
  expect(await served()).toBe('DNS:*.sys.example')
  listed = [siloCertificate('1', 'acme.sys.example', { cert: serverCertificate, key: ecKey })]
  await vi.waitFor(async () => expect(await served()).toBe('DNS:acme.sys.example'))
  listed = []
  await vi.waitFor(async () => expect(await served()).toBe('DNS:*.sys.example'))
})

test.each([
  ['expired', { cert: expiredCertificate, key: ecKey }, 'expired on 2021-01-01'],
  ["with another's key", { cert: serverCertificate, key: rsaKey }, 'does not belong'],
  ['that is invalid', { cert: 'x', key: ecKey }, 'cannot be read'],
])("a silo's certificate %s is skipped and logged once", async (_, bad, problem) => {
  const listed = [
    siloCertificate('2', 'acme.sys.example', bad),
    siloCertificate('1', 'acme.sys.example', { cert: serverCertificate, key: ecKey }),
  ]
  const looks = vi.fn(async () => listed)
  const { port, log } = await secured({ ofSilos: looks })
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3))
  expect(nameOf(await handshake(port))).toBe('DNS:acme.sys.example')
  expect(log.warn.mock.calls).toEqual([
    [
      expect.objectContaining({ problem: expect.stringContaining(problem) }),
      'a certificate of a silo is not served',
    ],
  ])
})

test('silo certificates stay in use while the database is unreachable', async () => {
  let isThere = true
  const looks = vi.fn(async () => {
    if (!isThere) throw new Error('no database')
    return [siloCertificate('1', 'acme.sys.example', { cert: serverCertificate, key: ecKey })]
  })
  const { port, log } = await secured({ ofSilos: looks })
  isThere = false
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce())
  expect(nameOf(await handshake(port))).toBe('DNS:acme.sys.example')
})

test('a renewed file is used for new connections, and open ones continue', async () => {
  const { port, rewrite } = await secured()
  const before = session(port)
  await ask(before, { ':path': '/v1/me' })
  await rewrite({ cert: serverCertificate })
  await vi.waitFor(async () => expect(nameOf(await handshake(port))).toBe('DNS:acme.sys.example'))
  expect((await ask(before, { ':path': '/v1/me' })).headers[':status']).toBe(200)
  expect(before.destroyed).toBe(false)
})

const future = issue({ host, from: '20300101000000Z' })
const ed25519 = issue({ host, key: 'Ed25519' })

test.each([
  ['expired', { cert: expiredCertificate }, 'expired on 2021-01-01'],
  ['not valid yet', { cert: future.cert, key: future.key }, 'not valid before 2030-01-01'],
  ['of no use to browsers', { cert: ed25519.cert, key: ed25519.key }, 'Browsers cannot use the key'],
  ['cut short', { cert: serverCertificate.slice(0, 300) }, 'cannot be read'],
  ['written before its key', { key: rsaKey }, 'does not belong to the certificate'],
])('a file that is %s is not used, and the reason is logged once', async (_, bad, problem) => {
  const { port, log, rewrite } = await secured()
  await rewrite(bad)
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce())
  expect(log.warn.mock.calls[0]?.[0]).toMatchObject({ problem: expect.stringContaining(problem) })
  expect(nameOf(await handshake(port))).toBe('DNS:*.sys.example')
  await rewrite({ cert: serverCertificate, key: ecKey })
  await vi.waitFor(async () => expect(nameOf(await handshake(port))).toBe('DNS:acme.sys.example'))
  expect(log.warn).toHaveBeenCalledOnce()
})

test.each([
  ['expired', { cert: expiredCertificate, key: ecKey }, /expired on 2021-01-01. Renew it/],
  ['not valid yet', future, /not valid before 2030-01-01. .*check the clock/],
  [
    'in the wrong order',
    { cert: authority + serverCertificate, key: ecKey },
    /wrong order: the private key belongs to the second certificate/,
  ],
  ['mismatched', { cert: serverCertificate, key: rsaKey }, /does not belong to the certificate/],
  ['unreadable', { cert: 'hello', key: ecKey }, /certificate cannot be read/],
  [
    'locked',
    { cert: serverCertificate, key: 'hello' },
    /private key cannot be read. .* without a passphrase/,
  ],
])('starting with one that is %s reports it', async (_, { cert, key }, sentence) => {
  const folder = await temporaryFolder()
  const files = { certFile: path.join(folder, 'c'), keyFile: path.join(folder, 'k') }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const start = () => serveCertificates(files, { log, clock: () => new Date(), ofSilos: async () => [] })
  await expect(start()).rejects.toThrow(`--tls-cert: ${files.certFile} cannot be read (ENOENT).`)
  await fs.writeFile(files.certFile, cert)
  await fs.writeFile(files.keyFile, key)
  await expect(start()).rejects.toThrow(sentence)
})

test.each([
  ['of which each is being worked on', {}],
  ['of which most are refused', { requests_per_address: 4 }],
])('streams reset in bulk end their connection, others are answered: %s', async (_, limits) => {
  let begun = 0
  const work: (() => void)[] = []
  const fetch = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname === '/v1/ping') return new Response('pong')
    begun += 1
    await new Promise<void>((resolve) => work.push(resolve))
    return new Response('done')
  }
  const { port } = await secured({ limits: { streams_per_connection: 10, ...limits }, fetch })
  const floods = await Promise.all(
    Array.from({ length: 3 }, () => handshake(port, { ALPNProtocols: ['h2'] })),
  )
  const ended = floods.map(
    (flood) => new Promise((resolve) => flood.on('error', () => {}).once('close', resolve)),
  )
  for (const flood of floods) flood.resume().write(rapidResets(5000))
  await Promise.all(ended)
  expect(begun).toBeLessThanOrEqual(3 * 20)
  for (const done of work) done()
  await vi.waitFor(async () => expect((await ask(session(port), { ':path': '/v1/ping' })).text).toBe('pong'))
})

test('requests that complete are not limited', async () => {
  const fetch = async (request: Request): Promise<Response> => {
    const status = Number(new URL(request.url).searchParams.get('status'))
    return new Response(status === 200 ? 'x' : null, { status })
  }
  const { port } = await secured({ limits: { streams_per_connection: 5 }, fetch })
  const client = session(port)
  let answered = 0
  for (const method of ['GET', 'HEAD', 'POST'])
    for (const status of [200, 204, 304])
      for (let time = 0; time < 10; time += 1) {
        const { headers } = await ask(client, { ':path': `/v1/x?status=${status}`, ':method': method })
        if (headers[':status'] === status) answered += 1
      }
  expect(answered).toBe(90)
})

test('pipelining is limited over TLS as without', async () => {
  let begun = 0
  const fetch = async (): Promise<Response> => {
    begun += 1
    return new Promise(() => {})
  }
  const { port } = await secured({ fetch })
  const flood = await handshake(port, { ALPNProtocols: ['http/1.1'] })
  let said = ''
  flood.on('data', (bytes) => (said += String(bytes)))
  flood.on('error', () => {})
  flood.write('GET /v1/held HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5000))
  await new Promise((resolve) => flood.once('close', resolve))
  expect(said).toMatch(/^HTTP\/1\.1 429 /)
  expect(begun).toBe(defaultSettings.http.requests_per_connection)
})

const slow = { request_seconds: 1, header_seconds: 1 }

test('a body that never arrives ends its stream', async () => {
  const { port } = await secured({ limits: slow })
  const stream = session(port).request({ ':path': '/v1/me', ':method': 'POST' })
  stream.on('error', () => {})
  stream.write('x')
  await new Promise((resolve) => stream.once('close', resolve))
  expect(stream.rstCode).toBe(http2.constants.NGHTTP2_CANCEL)
})

test('and its connection in HTTP/1.1', async () => {
  const { port } = await secured({ limits: slow })
  const sender = await handshake(port, { ALPNProtocols: ['http/1.1'] })
  let said = ''
  sender.on('data', (bytes) => (said += String(bytes)))
  sender.write('POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx')
  await new Promise((resolve) => sender.once('close', resolve))
  expect(said).toMatch(/^HTTP\/1\.1 408 /)
})

test('non-TLS input is closed, and a stop lets an HTTP/2 request finish', async () => {
  const { port, stop } = await secured()
  const plain = fetch(`http://127.0.0.1:${port}/v1/me`)
  await expect(plain).rejects.toThrow('fetch failed')
  const client = session(port)
  const stream = client.request({ ':path': '/v1/stream' })
  await new Promise((resolve) => stream.once('response', resolve))
  stream.resume()
  const slow = ask(client, { ':path': '/v1/slow' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await stop(3000)
  expect((await slow).headers[':status']).toBe(200)
})

test.each([
  ['of the file', []],
  ['of a silo', [siloCertificate('1', host, issue({ host, key: 'RSA' }))]],
])('a client of HTTP/1.1 that takes nothing is reset, with the certificate %s', async (_, listed) => {
  let over = (): void => {}
  const isOver = new Promise<void>((resolve) => (over = resolve))
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536))
  const { port } = await secured({
    limits: { unread_seconds: 1 },
    ofSilos: async () => listed,
    fetch: async () => new Response(new ReadableStream({ pull, cancel: () => over() })),
  })
  const client = await handshake(port, { ...asBrowser, ALPNProtocols: ['http/1.1'] })
  const closed = new Promise((resolve) => client.on('error', () => {}).once('close', resolve))
  client.write('GET /v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await isOver
  let left = 0
  client.on('data', (bytes: Buffer) => (left += bytes.length))
  await closed
  expect(left).toBeLessThan(1024 ** 2)
})

test('an HTTP/2 stream of which the client takes nothing is cancelled, and its session answers others', async () => {
  const bytes = new Uint8Array(1024 ** 2)
  const { port } = await secured({
    limits: { unread_seconds: 1 },
    fetch: async (request) =>
      new Response(request.url.endsWith('/large') ? streamOfPieces(cut(bytes)) : 'small'),
  })
  const session = http2.connect(`https://127.0.0.1:${port}`, {
    ca: authority,
    servername: 'acme.sys.example',
  })
  onTestFinished(() => session.destroy())
  const ask = (path: string) => session.request({ ':path': path, ':authority': 'acme.sys.example' })
  // Without a reader, the stream's window stays closed.
  const unread = ask('/v1/large')
  unread.on('error', () => {})
  await vi.waitFor(() => expect(unread.closed).toBe(true), 20_000)
  expect(unread.rstCode).not.toBe(http2.constants.NGHTTP2_NO_ERROR)
  const small = ask('/v1/small').setEncoding('utf8')
  let text = ''
  for await (const piece of small) text += piece
  expect(text).toBe('small')
})
