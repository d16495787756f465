import fs from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { ControlPlane } from '@gantry/control-plane/environment'
import { defaultSettings } from '@gantry/control-plane/settings'
import { fakeControlPlane } from '../testing/fake-control-plane.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { serveHttp, type HttpOptions } from './server.ts'

const page = '<!doctype html><title>Gantry</title>'
const script = 'console.log(1)'.repeat(100)

async function served(options: Partial<HttpOptions> = {}, over: Partial<ControlPlane> = {}) {
  const consoleDir = await temporaryFolder()
  await fs.mkdir(path.join(consoleDir, 'assets'))
  const files = {
    'index.html': page,
    'mark.svg': '<svg/>',
    'assets/app-1a2b.js': script,
    'secret.txt.br': 'x',
    '.built.json': '{}',
    'assets/.built.json': '{}',
  }
  for (const [name, text] of Object.entries(files)) await fs.writeFile(path.join(consoleDir, name), text)
  await fs.writeFile(path.join(consoleDir, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
  await fs.writeFile(path.join(consoleDir, 'assets/app-1a2b.js.gz'), gzipSync(script))
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const fake = Object.assign(fakeControlPlane(), over)
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    consoleDir,
    origins: [],
    dnsZone: 'cloud.example',
    secure: false,
    trustProxy: false,
    limits: defaultSettings.http,
    log,
  }
  const server = await serveHttp(fake, { ...defaults, ...options })
  onTestFinished(() => server.stop(0))
  return { ...server, log, seen: fake.seen, base: `http://127.0.0.1:${server.port}` }
}

/** Plain `http`, because `fetch` hides encodings and forbids headers that matter here. */
function get(url: string, options: http.RequestOptions = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>(
    (resolve, reject) => {
      const request = http.request(url, { agent: false, ...options }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      })
      request.on('error', reject)
      request.end()
    },
  )
}

/** The raw response to these lines on a socket. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => (said += bytes.toString()))
    socket.on('close', () => resolve(said))
    socket.on('error', reject)
  })
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
}

const upgrade = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`

test.each([
  ['the page', '/', 200],
  ['a page deep inside', '/projects/atlas/disks', 404],
  ['an asset', '/assets/app-1a2b.js', 200],
  ['a missing asset', '/assets/gone.js', 404],
  ['the API', '/v1/me', 200],
  ['a bug in the API', '/v1/throw', 500],
  ['an answer without a body', '/v1/cookies', 204],
])('%s has every security header', async (_, target, status) => {
  const { base } = await served()
  const answer = await get(base + target)
  expect(answer).toMatchObject({ status, headers: securityHeaders })
  expect(answer.headers).not.toHaveProperty('strict-transport-security')
})

test.each([
  ['no HTTP at all', 'nonsense\r\n\r\n', '400 Bad Request'],
  ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', '400 Bad Request'],
  ['a host with a password', 'GET / HTTP/1.1\r\nHost: a:b@localhost\r\nConnection: close\r\n\r\n', '400 '],
  ['an upgrade at a host with a password', upgrade('/v1/echo').replace('localhost', 'a:b@localhost'), '400 '],
  ['too long a header', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431 '],
  ['a refused upgrade', upgrade('/v1/other'), '404 Not Found'],
  ['an upgrade outside the API', upgrade('/elsewhere'), '404 Not Found'],
  ['an upgrade to another protocol', upgrade('/').replace('websocket', 'h2c'), '426 Upgrade Required'],
  [
    'a broken WebSocket handshake',
    upgrade('/v1/echo').replace('Version: 13', 'Version: 1'),
    '400 Bad Request',
  ],
])('%s is refused with the headers', async (_, text, status) => {
  const { port } = await served()
  const said = (await raw(port, text)).toLowerCase()
  expect(said).toContain(`http/1.1 ${status.toLowerCase()}`)
  for (const name of Object.keys(securityHeaders)) expect(said).toContain(`\r\n${name}: `)
})

test('a body comes in chunks, and after the server said to continue', async () => {
  const fetch = async (request: Request) => new Response(await request.text())
  const { base } = await served({}, { fetch })
  const send = (headers: http.OutgoingHttpHeaders) =>
    new Promise<string>((resolve, reject) => {
      const request = http.request(`${base}/v1/projects`, { method: 'POST', agent: false, headers })
      request.on('error', reject).on('response', (response) => {
        let text = ''
        response.on('data', (piece: Buffer) => (text += piece.toString())).on('end', () => resolve(text))
      })
      const write = (): void => {
        request.write('first ')
        request.end('second')
      }
      if (!headers['expect']) return write()
      request.on('continue', write).flushHeaders()
    })
  expect(await send({ 'transfer-encoding': 'chunked' })).toBe('first second')
  expect(await send({ expect: '100-continue', 'content-length': 12 })).toBe('first second')
})

test('a refused upgrade has its body and cookies', async () => {
  const { port } = await served()
  const said = await raw(port, upgrade('/v1/other'))
  expect(said).toContain('{"message":"no such console","address":"127.0.0.1"}')
  expect(said).toContain('set-cookie: a=1')
})

test.each([
  ['a refused upgrade', upgrade('/v1/other')],
  ['a broken WebSocket handshake', upgrade('/v1/echo').replace('Version: 13', 'Version: 1')],
])('%s ends the connection of a client that keeps its side open', async (_, text) => {
  const { port } = await served()
  const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => socket.write(text))
  socket.resume()
  const sending = setInterval(() => socket.write('x'), 50)
  onTestFinished(() => clearInterval(sending))
  const { code } = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
  expect(['EPIPE', 'ECONNRESET']).toContain(code)
})

test('a bug in an upgrade only closes its connection', async () => {
  const { port, base, log } = await served()
  await raw(port, upgrade('/v1/throw'))
  expect(log.error).toHaveBeenCalledOnce()
  await expect(get(`${base}/v1/me`)).resolves.toMatchObject({ status: 200 })
})

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['deflate', undefined],
  ['', undefined],
])('Accept-Encoding %j is answered with %s', async (accepted, encoding) => {
  const { base } = await served()
  const { headers, body } = await get(`${base}/assets/app-1a2b.js`, {
    headers: { 'accept-encoding': accepted },
  })
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'content-length': String(body.length),
  })
})

test('every page path returns the page, never stored', async () => {
  const { base } = await served()
  for (const target of ['/', '/index.html', '/projects/atlas', '/projects/..%2f..%2fetc/passwd']) {
    const answer = await get(base + target, { headers: { accept: 'text/html,*/*' } })
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(answer.body.toString()).toBe(page)
  }
})

test('other files are revalidated, and cost nothing if unchanged', async () => {
  const { base } = await served()
  const { headers } = await get(`${base}/mark.svg`)
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' })
  const again = await get(`${base}/mark.svg`, { headers: { 'if-none-match': String(headers.etag) } })
  expect(again).toMatchObject({ status: 304 })
})

test.each([
  '/assets/app-1a2b.js.br',
  '/secret.txt.br',
  '/.built.json',
  '/assets/%2ebuilt.json',
  '/assets/',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/%00',
  '/assets',
])('%s is not a file of the console', async (target) => {
  const { base } = await served()
  await expect(get(base + target)).resolves.toMatchObject({ status: 404 })
})

test('HEAD matches GET, and other methods are refused', async () => {
  const { base } = await served()
  const head = await get(`${base}/assets/app-1a2b.js`, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(script.length) } })
  expect(head.body).toHaveLength(0)
  const post = await get(`${base}/projects`, { method: 'POST' })
  expect(post).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})

test.each([false, true])('TRACE is handled like other methods (behind a proxy: %s)', async (trustProxy) => {
  const { base, log } = await served({ trustProxy })
  const answer = await get(`${base}/v1/me`, { method: 'TRACE' })
  expect(JSON.parse(answer.body.toString())).toMatchObject({ method: 'TRACE', url: `${base}/v1/me` })
  await expect(get(`${base}/projects`, { method: 'TRACE' })).resolves.toMatchObject({ status: 405 })
  expect(log.error).not.toHaveBeenCalled()
})

test('https adds HSTS, and configured origins their sockets', async () => {
  const { base } = await served({ secure: true, origins: ['https://gantry.example'] })
  const { headers } = await get(base)
  expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
  expect(headers['content-security-policy']).toContain("connect-src 'self' wss://gantry.example;")
})

test('proxy headers are trusted only if configured', async () => {
  const headers = {
    'x-forwarded-for': '6.6.6.6, 203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'gantry.example',
  }
  const wary = await served()
  const plain = await get(`${wary.base}/v1/me?a=1`, { headers })
  expect(JSON.parse(plain.body.toString())).toMatchObject({
    address: '127.0.0.1',
    url: `${wary.base}/v1/me?a=1`,
  })
  expect(plain.headers).not.toHaveProperty('strict-transport-security')

  const trusting = await served({ trustProxy: true, origins: ['https://gantry.example'] })
  const forwarded = await get(`${trusting.base}/v1/me?a=1`, { headers })
  expect(JSON.parse(forwarded.body.toString())).toMatchObject({
    address: '203.0.113.7',
    url: 'https://gantry.example/v1/me?a=1',
    host: 'gantry.example',
  })
  expect(forwarded.headers).toHaveProperty('strict-transport-security')
})

test.each(['a@localhost', ':b@localhost', 'a b'])('the forwarded host %j is refused', async (host) => {
  const { base, port, log } = await served({ trustProxy: true })
  const headers = { 'x-forwarded-host': host }
  await expect(get(`${base}/v1/me`, { headers })).resolves.toMatchObject({ status: 400 })
  await expect(get(base, { headers, method: 'TRACE' })).resolves.toMatchObject({ status: 400 })
  expect(await raw(port, upgrade('/v1/echo', `X-Forwarded-Host: ${host}\r\n`))).toMatch(/^HTTP\/1\.1 400 /)
  expect(log.error).not.toHaveBeenCalled()
})

test.each([false, true])('bodies and cookies pass (behind a proxy: %s)', async (trustProxy) => {
  const { base } = await served({ trustProxy })
  const answer = await fetch(`${base}/v1/me`, { method: 'POST', body: 'x'.repeat(3_000_000) })
  await expect(answer.json()).resolves.toMatchObject({ method: 'POST', length: 3_000_000 })
  const { headers } = await get(`${base}/v1/cookies`)
  expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
})

test.each([false, true])(
  'a stream is delivered incrementally, and ends for the server when the client leaves (proxy: %s)',
  async (trustProxy) => {
    const { base, seen } = await served({ trustProxy })
    const leaving = new AbortController()
    const answer = await fetch(`${base}/v1/stream`, { signal: leaving.signal })
    const reader = answer.body?.getReader()
    for (let tick = 0; tick < 3; tick += 1) await reader?.read()
    leaving.abort()
    await vi.waitFor(() => expect(seen).toMatchObject({ cancelled: 1, aborted: 1 }))
  },
)

test('stopping ends streams and sockets, and lets requests finish', async () => {
  const { base, port, seen, stop } = await served()
  const stream = await fetch(`${base}/v1/stream`)
  const slow = fetch(`${base}/v1/slow`)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  await pause(50)
  const started = performance.now()
  await stop(3000)
  expect(performance.now() - started).toBeLessThan(1500)
  await expect(stream.text()).resolves.toContain('data: tick')
  await expect(slow.then(({ status }) => status)).resolves.toBe(200)
  await expect(closed).resolves.toBe(1001)
  expect(seen).toMatchObject({ cancelled: 1, socketsClosed: 1 })
  await expect(get(base)).rejects.toThrow('ECONNREFUSED')
})

test('stopping cuts off what does not finish in time', async () => {
  const { base, stop } = await served()
  const slow = get(`${base}/v1/slow`)
  slow.catch(() => {})
  await pause(50)
  await stop(50)
  await expect(slow).rejects.toThrow('socket hang up')
})

test('a socket echoes bytes, drops text, and closes with a reason', async () => {
  const { port, seen } = await served()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`)
  const got: Buffer[] = []
  socket.on('message', (data: Buffer) => got.push(data))
  const closed = new Promise((resolve) =>
    socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  )
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send('text')
  socket.send(Buffer.from([1, 2, 3]))
  socket.send(Buffer.from([0]))
  await expect(closed).resolves.toEqual([4000, 'you sent a zero'])
  expect(got).toEqual([Buffer.from([1, 2, 3])])
  await vi.waitFor(() => expect(seen.socketsClosed).toBe(1))
})

test('a peer that does not answer pings is dropped', async () => {
  const { port, seen } = await served({ pingEveryMs: 500 })
  const deaf = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`, { autoPong: false })
  const listening = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`)
  await new Promise((resolve) => deaf.once('close', resolve))
  await vi.waitFor(() => expect(seen.socketsClosed).toBe(1))
  expect(listening.readyState).toBe(listening.OPEN)
})

test('an open socket has the headers too', async () => {
  const { port } = await served()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`)
  const headers = await new Promise((resolve) =>
    socket.once('upgrade', (response) => resolve(response.headers)),
  )
  expect(headers).toMatchObject(securityHeaders)
})

test('too large a message closes the socket but not the server', async () => {
  const { port, base } = await served()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/echo`)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(Buffer.alloc(1024 * 1024 + 1, 1))
  await expect(closed).resolves.toBe(1009)
  await expect(get(base)).resolves.toMatchObject({ status: 200 })
})

test('a port in use is reported in a sentence', async () => {
  const { port } = await served()
  await expect(served({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --port.`,
  )
})

test('a path may belong to the API for one method and to the console for another', async () => {
  const { base } = await served(
    {},
    { serves: (method, pathname) => pathname === '/login/a' && method === 'POST' },
  )
  const page = await get(`${base}/login/a`, { headers: { accept: 'text/html' } })
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const posted = await get(`${base}/login/a`, { method: 'POST' })
  expect(JSON.parse(posted.body.toString())).toMatchObject({ method: 'POST' })
})

test('every response is observed', async () => {
  const observe = vi.fn()
  const { base } = await served({ observe })
  await get(`${base}/v1/me?secret=1`)
  await get(`${base}/assets/gone.js`)
  await vi.waitFor(() => expect(observe).toHaveBeenCalledTimes(2))
  expect(observe.mock.calls.map(([seen]) => seen)).toMatchObject([
    { method: 'GET', pathname: '/v1/me', area: 'api', status: 200 },
    { method: 'GET', pathname: '/assets/gone.js', area: 'console', status: 404 },
  ])
})

test('a request whose client leaves before the answer is observed as unanswered', async () => {
  const observe = vi.fn()
  const fetched = vi.fn(() => new Promise<Response>(() => {}))
  const { port } = await served({ observe }, { fetch: fetched })
  const asked = 'GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const socket = net.connect(port, '127.0.0.1', () => socket.write(asked + asked))
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2))
  socket.destroy()
  await vi.waitFor(() => expect(observe).toHaveBeenCalledTimes(2))
  expect(observe.mock.calls.map(([seen]) => seen.status)).toEqual([499, 499])
})

test('a refusal before the end of the body announces that the connection ends', async () => {
  const { port } = await served({}, { fetch: async () => new Response('no', { status: 401 }) })
  /** The `Connection` header of the response after sending only this many bytes of a body. */
  const connectionAfter = (sent: number): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-length': '1048576' }
      const agent = new http.Agent({ keepAlive: true })
      const request = http.request({ port, method: 'PUT', path: '/v1/x', headers, agent }, (response) => {
        response.resume()
        resolve(response.headers.connection)
        request.destroy()
        agent.destroy()
      })
      request.on('error', reject)
      request.write(Buffer.alloc(sent))
    })
  expect(await connectionAfter(1000)).toBe('close')
  expect(await connectionAfter(500_000)).toBe('close')
})

/** A response's status and, for the API, the path that the control plane received. */
async function asked(target: string): Promise<[status: number, path?: string]> {
  const { base } = await served()
  const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
  const said = await raw(Number(new URL(base).port), head)
  const status = Number(/^HTTP\/1.1 (\d+)/.exec(said)?.[1])
  const path = /"path":"([^"]*)"/.exec(said)?.[1]
  return path === undefined ? [status] : [status, path]
}

test.each([
  ['/v1/../v1/me', '/v1/../v1/me'],
  ['/v1/%2e%2E/v1/me?a=/..', '/v1/%2e%2E/v1/me'],
  ['/assets/../v1/me', '/assets/../v1/me'],
  ['http://localhost/v1/../v1/me#x', '/v1/../v1/me'],
  ['/v1/me?next=http://elsewhere/', '/v1/me'],
])('the control plane receives the path as sent: %s', async (target, path) => {
  expect(await asked(target)).toEqual([200, path])
})

test.each([
  ['/assets/../assets/app-1a2b.js', 400],
  ['/assets/%2e%2e/assets/app-1a2b.js', 400],
  ['/assets/./app-1a2b.js', 400],
  ['/v1/../', 400],
  ['/..', 400],
  ['/assets\\..\\x', 400],
  ['/assets/app-1a2b.js?from=/../', 200],
  ['/assets/...', 404],
])('no file is served through a dot segment: %s', async (target, status) => {
  expect(await asked(target)).toEqual([status])
})
