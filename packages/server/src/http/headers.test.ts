import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { defaultSettings } from '@gantry/control-plane/settings'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { identityProvider } from '../testing/identity-provider.ts'
import { prometheusMetrics } from '../metrics.ts'
import { samlFor } from '../testing/saml.ts'
import { type HttpServer, serveHttp } from './server.ts'

/** The whole server through its sockets: responses as a browser would get them. */
let bed: TestBed
let consoleDir: string
let me: Caller
let server: HttpServer
let proxied: HttpServer
let metrics: Awaited<ReturnType<ReturnType<typeof prometheusMetrics>['listen']>>
const password = 'correct horse'
const GiB = 1024 ** 3

beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: samlFor([]) } })
  me = await bed.signIn('member')
  consoleDir = await consoleFiles()
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const options = {
    host: '127.0.0.1',
    port: 0,
    consoleDir,
    origins: [],
    dnsZone: 'cloud.example',
    secure: false,
    limits: defaultSettings.http,
    log,
  }
  // Some responses only occur with a broken API.
  const plane: typeof bed.plane = {
    ...bed.plane,
    fetch: (request, peer) =>
      new URL(request.url).pathname === '/v1/bug'
        ? Promise.reject(new Error('a bug'))
        : bed.plane.fetch(request, peer),
  }
  server = await serveHttp(plane, { ...options, trustProxy: false })
  proxied = await serveHttp(plane, { ...options, trustProxy: true, origins: ['https://gantry.example'] })
  metrics = await prometheusMetrics(() => undefined).listen(0)
  await me.post('/v1/instances?project=playground', {
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: GiB,
    start: false,
  })
  await addProvider()
})
afterAll(async () => {
  await Promise.all([server.stop(0), proxied.stop(0), metrics.close()])
  await bed.stop()
  await fs.rm(consoleDir, { recursive: true })
})

async function consoleFiles(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
  await fs.mkdir(path.join(folder, 'assets'))
  const files = {
    'index.html': '<!doctype html><title>Gantry</title>',
    'mark.svg': '<svg/>',
    'assets/app-1a2b.js': '1',
  }
  for (const [name, text] of Object.entries(files)) await fs.writeFile(path.join(folder, name), text)
  return folder
}

async function addProvider(): Promise<void> {
  const id = await bed.addSilo('acme')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
  const idp = identityProvider({ audience: 'gantry', recipient: '' })
  const admin = await bed.signIn('admin')
  const made = await admin.post('/v1/system/identity-providers/saml?silo=acme', {
    name: 'corporate',
    description: '',
    idp_metadata_source: { type: 'base64_encoded_xml', data: Buffer.from(idp.metadata).toString('base64') },
    idp_entity_id: idp.entityId,
    sp_client_id: 'gantry',
    acs_url: 'http://localhost/login/acme/saml/corporate',
    slo_url: 'http://localhost/slo',
    technical_contact_email: 'ops@example.com',
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
}

interface Answer {
  status: number
  headers: Headers
}

/** The first response, as raw text. */
function ask(text: string, port = server.port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
    const read = (): void => {
      const [head, rest] = said.split('\r\n\r\n')
      if (rest === undefined) return
      socket.destroy()
      const [status = '', ...lines] = (head ?? '').split('\r\n')
      const headers = new Headers()
      for (const line of lines)
        headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1))
      resolve({ status: Number(status.split(' ')[1]), headers })
    }
    socket.on('data', (bytes) => {
      said += bytes.toString('latin1')
      read()
    })
    socket.on('close', () => reject(new Error(`nothing came but ${JSON.stringify(said)}`)))
    socket.on('error', reject)
  })
}

interface Asked {
  headers?: Record<string, string>
  body?: unknown
}
const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

function request(start: string, { headers = {}, body }: Asked = {}): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const about: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) }
  return `${start} HTTP/1.1\r\n${lines({ host: 'localhost', ...about, ...headers })}\r\n${text}`
}
const mine = (more: Record<string, string> = {}): Record<string, string> => ({ cookie: me.cookie, ...more })
const socketKey = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const serial = '/v1/instances/web/serial-console/stream?project=playground'
const login = { username: 'viewer', password }
const html = { accept: 'text/html' }
const forever = 'public, max-age=31536000, immutable'
const disk = { name: 'new', description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } }

/** One of each kind of response: the request, its status, and its caching. */
const kinds: [kind: string, text: () => string, status: number, caching: string | null][] = [
  ['an answer of the API', () => request('GET /v1/me', { headers: mine() }), 200, 'no-store'],
  [
    'something created',
    () => request('POST /v1/disks?project=playground', { headers: mine(), body: disk }),
    201,
    'no-store',
  ],
  ['nothing to say', () => request('POST /v1/login/demo/local', { body: login }), 204, 'no-store'],
  [
    'something begun',
    () => request('POST /v1/instances/web/stop?project=playground', { headers: mine() }),
    202,
    'no-store',
  ],
  [
    'a request that cannot be read',
    () => request('POST /v1/projects', { headers: mine(), body: 7 }),
    400,
    'no-store',
  ],
  ['a stranger', () => request('GET /v1/me'), 401, 'no-store'],
  ['a refusal', () => request('GET /v1/system/silos', { headers: mine() }), 403, 'no-store'],
  ['a missing object', () => request('GET /v1/projects/nothing', { headers: mine() }), 404, 'no-store'],
  ['no operation', () => request('GET /v1/nothing'), 404, 'no-store'],
  ['another method', () => request('PATCH /v1/me'), 405, 'no-store'],
  ['HEAD of the API', () => request('HEAD /v1/me', { headers: mine() }), 405, 'no-store'],
  [
    'OPTIONS of the API',
    () => request('OPTIONS /v1/me', { headers: { origin: 'http://evil.example' } }),
    405,
    'no-store',
  ],
  ['a bug', () => request('GET /v1/bug'), 500, 'no-store'],
  ['the API documentation', () => request('GET /openapi.json'), 200, 'no-cache'],
  ['a stream', () => request('GET /ext/v1/changes', { headers: mine() }), 200, 'no-store'],
  [
    'the way to an identity provider',
    () => request('GET /login/acme/saml/corporate/redirect'),
    302,
    'no-store',
  ],
  [
    'the way back from a refusal',
    () => request('GET /login/acme/saml/nobody/redirect', { headers: html }),
    303,
    'no-store',
  ],
  ['the page', () => request('GET /'), 200, 'no-store'],
  ['a page deep inside', () => request('GET /projects/atlas', { headers: html }), 200, 'no-store'],
  ['HEAD of the page', () => request('HEAD /'), 200, 'no-store'],
  ['a hashed file', () => request('GET /assets/app-1a2b.js'), 200, forever],
  ['HEAD of a hashed file', () => request('HEAD /assets/app-1a2b.js'), 200, forever],
  ['another file', () => request('GET /mark.svg'), 200, 'no-cache'],
  ['a file of no build', () => request('GET /assets/gone.js'), 404, 'no-store'],
  ['no file', () => request('GET /%00'), 404, 'no-store'],
  ['a path of no text', () => request('GET /%ff'), 400, 'no-store'],
  ['a post to the page', () => request('POST /'), 405, 'no-store'],
  ['OPTIONS of the page', () => request('OPTIONS /'), 405, 'no-store'],
  ['OPTIONS of everything', () => request('OPTIONS *'), 400, 'no-store'],
  ['TRACE', () => request('TRACE /v1/me'), 405, 'no-store'],
  ['another address than ours', () => request('GET ftp://example/'), 400, 'no-store'],
  ['no host', () => 'GET / HTTP/1.1\r\n\r\n', 400, 'no-store'],
  ['an invalid host', () => request('GET /', { headers: { host: 'a b' } }), 400, 'no-store'],
  ['a host that is not ours', () => request('GET /', { headers: { host: 'evil.example' } }), 421, 'no-store'],
  [
    'a socket for a host that is not ours',
    () => request(`GET ${serial}`, { headers: mine({ ...socketKey, host: 'evil.example' }) }),
    421,
    'no-store',
  ],
  ['no HTTP', () => 'nonsense\r\n\r\n', 400, 'no-store'],
  [
    'two lengths',
    () => request('POST /v1/logout', { headers: { 'content-length': '1', 'transfer-encoding': 'chunked' } }),
    400,
    'no-store',
  ],
  ['HTTP of another version', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'no-store'],
  ['too long a header', () => request('GET /', { headers: { x: 'x'.repeat(20_000) } }), 431, 'no-store'],
  ['an expectation', () => request('POST /v1/logout', { headers: { expect: 'miracles' } }), 417, 'no-store'],
  ['a socket', () => request(`GET ${serial}`, { headers: mine(socketKey) }), 101, null],
  ['a socket for a stranger', () => request(`GET ${serial}`, { headers: socketKey }), 401, 'no-store'],
  [
    'a socket for another site',
    () => request(`GET ${serial}`, { headers: mine({ ...socketKey, origin: 'http://evil.example' }) }),
    403,
    'no-store',
  ],
  ['a socket at an unknown path', () => request('GET /elsewhere', { headers: socketKey }), 404, 'no-store'],
  [
    'an upgrade to something else',
    () => request('GET /', { headers: { ...socketKey, upgrade: 'h2c' } }),
    426,
    'no-store',
  ],
  [
    'an upgrade without its key',
    () => request(`GET ${serial}`, { headers: mine({ connection: 'upgrade', upgrade: 'websocket' }) }),
    400,
    'no-store',
  ],
]

const expected = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'strict-transport-security': undefined,
  'access-control-allow-origin': undefined,
  'x-powered-by': undefined,
  server: undefined,
}
const select = (headers: Headers, names: object = expected) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, headers.get(name) ?? undefined]))

describe('every response has the headers', () => {
  test.each(kinds)('%s', async (_, text, status, caching) => {
    const answer = await ask(text())
    expect(answer.status).toBe(status)
    expect(select(answer.headers)).toEqual(expected)
    expect(answer.headers.get('cache-control')).toBe(caching)
  })

  test('the metrics', async () => {
    for (const target of ['/metrics', '/elsewhere']) {
      const { headers } = await ask(request(`GET ${target}`), metrics.port)
      expect(select(headers)).toEqual(expected)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('https', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gantry.example' }
  test.each(kinds.filter(([kind]) => !/^(no HTTP|HTTP of|two lengths|too long)/.test(kind)))(
    'is for two years, behind a proxy that says so: %s',
    async (_, text) => {
      const { headers } = await ask(text().replace('\r\n', `\r\n${lines(https)}`), proxied.port)
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
    },
  )

  test('is not accepted from an untrusted client', async () => {
    const { headers } = await ask(request('POST /v1/login/demo/local', { headers: https, body: login }))
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.get('set-cookie')).not.toContain('Secure')
  })

  test('keeps the cookie secure, and is part of the origin', async () => {
    const signIn = (headers: object) =>
      ask(
        request('POST /v1/login/demo/local', { headers: { ...https, ...headers }, body: login }),
        proxied.port,
      )
    expect((await signIn({})).headers.getSetCookie()[0]).toMatch(
      /^__Host-session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400$/,
    )
    expect((await signIn({ origin: 'https://gantry.example' })).status).toBe(204)
    expect((await signIn({ origin: 'http://gantry.example' })).status).toBe(403)
    const out = await ask(request('POST /v1/logout', { headers: https }), proxied.port)
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    )
  })
})

describe('the cookie', () => {
  const signIn = (headers: Record<string, string> = {}) =>
    ask(request('POST /v1/login/demo/local', { headers, body: login }))
  const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''
  const status = async (cookie: string) => (await ask(request('GET /v1/me', { headers: { cookie } }))).status

  test('is readable only by the server, on all its paths, for a day', async () => {
    const { headers } = await signIn()
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/),
      expect.stringMatching(/^known-device=[^ ]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ])
  })

  test('is new at each sign-in, whatever the client sent', async () => {
    const chosen = `session=${'a'.repeat(40)}`
    const first = cookieOf(await signIn({ cookie: chosen }))
    const second = cookieOf(await signIn({ cookie: first }))
    expect(new Set([chosen, first, second]).size).toBe(3)
    expect([await status(chosen), await status(second)]).toEqual([401, 200])
  })

  test('is invalid after the sign-out, and cleared', async () => {
    const cookie = cookieOf(await signIn())
    const out = await ask(request('POST /v1/logout', { headers: { cookie } }))
    expect(out.headers.get('set-cookie')).toBe('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(await status(cookie)).toBe(401)
  })

  test('is set by no other response', async () => {
    const setting: string[] = []
    for (const [kind, text] of kinds) if ((await ask(text())).headers.has('set-cookie')) setting.push(kind)
    expect(setting).toEqual(['nothing to say'])
  })
})

/** How browsers and programs identify the origin of a request. */
const senders: [sender: string, headers: Record<string, string>, isTaken: boolean][] = [
  ['a program', {}, true],
  ['our page', { origin: 'http://localhost' }, true],
  ['our page, in a browser of today', { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }, true],
  ['our page, in one that keeps its origin back', { 'sec-fetch-site': 'same-origin' }, true],
  ['our page, by its address alone', { referer: 'http://localhost/projects' }, true],
  ['a person', { 'sec-fetch-site': 'none' }, true],
  ['another site', { origin: 'http://evil.example' }, false],
  ['another site that lies', { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }, false],
  ['another port', { origin: 'http://localhost:81' }, false],
  ['our host without encryption, or with it', { origin: 'https://localhost' }, false],
  ['a host that begins like ours', { origin: 'http://localhost.evil.example' }, false],
  ['a sandbox', { origin: 'null' }, false],
  ['no origin at all', { origin: '' }, false],
  ['another site, its origin kept back', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sister of ours', { 'sec-fetch-site': 'same-site' }, false],
  ['an unknown site', { 'sec-fetch-site': 'moon' }, false],
  ['another site, by its address alone', { referer: 'http://evil.example/?http://localhost/' }, false],
  ['an invalid referrer', { referer: 'localhost' }, false],
]

describe.each(senders)('a request from %s', (_, headers, isTaken) => {
  const key = () => ({ name: `key-${crypto.randomUUID()}`, description: '', public_key: 'ssh-ed25519 AAAA' })
  test(`${isTaken ? 'may' : 'may not'} write, sign in and open sockets`, async () => {
    const answers = [
      await ask(request('POST /v1/me/ssh-keys', { headers: mine(headers), body: key() })),
      await ask(request('POST /v1/login/demo/local', { headers, body: login })),
      await ask(request(`GET ${serial}`, { headers: mine({ ...socketKey, ...headers }) })),
      await ask(request('GET /v1/me', { headers: mine(headers) })),
    ]
    const taken = [201, 204, 101, 200]
    expect(answers.map(({ status }) => status)).toEqual(isTaken ? taken : [403, 403, 403, 200])
  })
})
