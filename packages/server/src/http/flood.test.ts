import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultSettings } from '@gantry/control-plane/settings'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeControlPlane } from '../testing/fake-control-plane.ts'
import { serveHttp } from './server.ts'

interface Flooded {
  limits?: Partial<typeof defaultSettings.http>
  trustProxy?: boolean
  /** Produces the response; the default never does. */
  answer?: (path: string) => Promise<Response>
}

/** A server whose responses wait until released, with a count of those pending. */
async function flooded({ limits, trustProxy = false, answer }: Flooded = {}) {
  let begun = 0
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST') await request.text()
    if (pathname === '/v1/ping') return Response.json({ status: 'ok' })
    begun += 1
    if (answer) return answer(pathname)
    await held
    return new Response(pathname)
  }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const server = await serveHttp(Object.assign(fakeControlPlane(), { fetch }), {
    host: '127.0.0.1',
    port: 0,
    consoleDir: '/nowhere',
    origins: [],
    dnsZone: 'localhost',
    secure: false,
    trustProxy,
    limits: { ...defaultSettings.http, ...limits },
    log,
  })
  onTestFinished(() => server.stop(0))
  return { ...server, log, letGo, begun: () => begun }
}

const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) })

interface Connection {
  socket: net.Socket
  said: () => string
  statuses: () => number[]
  closed: Promise<void>
}

async function connect(port: number): Promise<Connection> {
  let said = ''
  const socket = net.connect(port, '127.0.0.1')
  socket.on('data', (bytes) => (said += bytes.toString('latin1')))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  const statuses = () => [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  return { socket, said: () => said, statuses, closed }
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
const ping = async (port: number): Promise<number> => (await fetch(`http://127.0.0.1:${port}/v1/ping`)).status

test('10,000 pipelined requests end their connection, and others are answered meanwhile', async () => {
  const { port, begun } = await flooded()
  const flood = await connect(port)
  flood.socket.write(get('/v1/held').repeat(10_000))
  const pings = await Promise.all(Array.from({ length: 50 }, () => ping(port)))
  await flood.closed
  expect(pings).toEqual(Array.from({ length: 50 }, () => 200))
  expect(flood.statuses()).toEqual([429])
  expect(flood.said()).toContain('Wait for answers before you send more.')
  expect(begun()).toBe(defaultSettings.http.requests_per_connection)
})

test('a partial response is cut off, not followed by another one', async () => {
  const { port } = await flooded({ answer: async () => new Response(endless()) })
  const flood = await connect(port)
  flood.socket.write(get('/v1/held'))
  await vi.waitFor(() => expect(flood.statuses()).toEqual([200]))
  flood.socket.write(get('/v1/held').repeat(1000))
  await flood.closed
  expect(flood.statuses()).toEqual([200])
})

test('as many as allowed are answered, in order', async () => {
  const { port, letGo } = await flooded({ limits: { requests_per_connection: 10 } })
  const patient = await connect(port)
  const paths = Array.from({ length: 10 }, (_, index) => `/v1/held/${index}`)
  for (let round = 1; round <= 3; round += 1) {
    patient.socket.write(paths.map((path) => get(path)).join(''))
    letGo()
    await vi.waitFor(() => expect(patient.statuses()).toHaveLength(10 * round))
  }
  expect([...patient.said().matchAll(/\/v1\/held\/\d/g)].map(([path]) => path)).toEqual([
    ...paths,
    ...paths,
    ...paths,
  ])
})

test('requests are limited per address, without affecting others', async () => {
  const { port, letGo } = await flooded({ limits: { requests_per_address: 4 }, trustProxy: true })
  const ask = (address: string) =>
    fetch(`http://127.0.0.1:${port}/v1/held`, { headers: { 'x-forwarded-for': address } })
  const first = Array.from({ length: 4 }, () => ask('203.0.113.1'))
  await vi.waitFor(async () => expect((await ask('203.0.113.1')).status).toBe(429))
  const refused = await ask('203.0.113.1')
  expect([refused.headers.get('retry-after'), refused.headers.get('x-frame-options')]).toEqual(['1', 'DENY'])
  expect(await refused.text()).toContain('from this address')
  const other = ask('203.0.113.2')
  letGo()
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ])
  expect((await ask('203.0.113.1')).status).toBe(200)
})

test('an address over its limit does not get 10,000 refusals on one connection', async () => {
  const { port, begun } = await flooded({ limits: { requests_per_address: 4 } })
  const floods = await Promise.all(Array.from({ length: 2 }, () => connect(port)))
  for (const { socket } of floods) socket.write(get('/v1/held').repeat(10_000))
  await Promise.all(floods.map(({ closed }) => closed))
  const { requests_per_connection } = defaultSettings.http
  expect(Math.max(...floods.map(({ statuses }) => statuses().length))).toBeLessThanOrEqual(
    requests_per_connection,
  )
  expect(begun()).toBe(4)
})

test('requests are limited in total', async () => {
  const { port, letGo } = await flooded({ limits: { requests: 3 }, trustProxy: true })
  const ask = (index: number) =>
    fetch(`http://127.0.0.1:${port}/v1/held`, { headers: { 'x-forwarded-for': `203.0.113.${index}` } })
  const first = [1, 2, 3].map(ask)
  await vi.waitFor(async () => expect((await ask(4)).status).toBe(503))
  letGo()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a client that disconnects early is still charged for the work in progress', async () => {
  const { port, begun, letGo } = await flooded({ limits: { requests_per_address: 8 } })
  for (let index = 0; index < 30; index += 1) {
    const { socket, closed } = await connect(port)
    socket.write(get('/v1/held'))
    await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0))
    await pause(2)
    socket.destroy()
    await closed
  }
  expect(begun()).toBeLessThanOrEqual(8)
  letGo()
  await vi.waitFor(async () => expect(await ping(port)).toBe(200))
})

test('a response queued behind others frees its slot when its connection closes', async () => {
  const answers = [
    new Promise<Response>(() => {}),
    ...Array.from({ length: 7 }, async () => new Response('x')),
  ]
  const { port } = await flooded({
    limits: { requests_per_address: 9 },
    answer: () => answers.shift() ?? Promise.resolve(new Response('x')),
  })
  const { socket, closed } = await connect(port)
  socket.write(get('/v1/held').repeat(8))
  await vi.waitFor(() => expect(answers).toHaveLength(0))
  socket.destroy()
  await closed
  // The first is still in progress; the seven behind it are not.
  const statuses = Promise.all(Array.from({ length: 8 }, () => ping(port)))
  expect(await statuses).toEqual(Array.from({ length: 8 }, () => 200))
})

test('event streams do not count against other requests', async () => {
  const { port } = await flooded({
    limits: { requests_per_address: 3 },
    answer: async () => new Response(endless(), { headers: { 'content-type': 'text/event-stream' } }),
  })
  for (let index = 0; index < 10; index += 1) {
    const listener = await connect(port)
    listener.socket.write(get('/v1/events'))
    await vi.waitFor(() => expect(listener.statuses()).toEqual([200]))
  }
  expect(await ping(port)).toBe(200)
})

test('connections are limited per address, and closing some makes room', async () => {
  const { port, log } = await flooded({ limits: { connections_per_address: 5 } })
  const held = await Promise.all(Array.from({ length: 5 }, () => connect(port)))
  const more = await Promise.all(Array.from({ length: 20 }, () => connect(port)))
  await Promise.all(more.map(({ closed }) => closed))
  expect(more.map(({ statuses }) => statuses())).toEqual(Array.from({ length: 20 }, () => [429]))
  // A flood is logged once, not 20 times.
  expect(log.warn).toHaveBeenCalledOnce()
  for (const { socket } of held) socket.destroy()
  await vi.waitFor(async () => expect(await ping(port)).toBe(200))
})

test('connections are limited in total', async () => {
  const { port, log } = await flooded({ limits: { connections: 5 }, trustProxy: true })
  const all = await Promise.all(Array.from({ length: 20 }, () => connect(port)))
  await vi.waitFor(() => expect(all.filter(({ socket }) => socket.destroyed)).toHaveLength(15))
  expect(log.warn).toHaveBeenCalledOnce()
})

test.each([
  ['says nothing', ''],
  ['never ends its header', 'GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nX-'],
  ['never ends its body', 'POST /v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx'],
])('a connection that %s is ended', async (_, text) => {
  const { port } = await flooded({ limits: { header_seconds: 1, request_seconds: 1 } })
  const slow = await connect(port)
  slow.socket.write(text)
  await slow.closed
  expect(slow.statuses()).toEqual([408])
})
