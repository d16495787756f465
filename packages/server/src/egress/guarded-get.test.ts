import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { selfSigned } from '../testing/self-signed.ts'
import { served } from '../testing/served.ts'
import { TooBusy } from '@gantry/control-plane/work/turns'
import { guardedGet } from './guarded-get.ts'
import { EgressFailed, EgressRefused } from './refused.ts'
import type { Resolve } from './resolve.ts'

const bounds = { maxBytes: 1000, timeoutMs: 5000 }
const onLoopback = { allowed_networks: ['127.0.0.1/32'] }
const here: Resolve = () => Promise.resolve(['127.0.0.1'])
const get = (url: string, { resolve = here, over = {} }: { resolve?: Resolve; over?: object } = {}) =>
  guardedGet(onLoopback, resolve)(url, { ...bounds, ...over }).then(({ content }) => String(content))
const portOf = (origin: string) => new URL(origin).port

/** A forbidden host on the port of an allowed one. */
async function inside(port: string) {
  let asked = 0
  await served(
    (_, response) => {
      asked += 1
      response.end('a secret')
    },
    '127.0.0.2',
    Number(port),
  )
  return () => asked
}

test('returns the response, by name or by address', async () => {
  const origin = await served((request, response) => response.end(`${request.headers.host} ${request.url}`))
  expect(await get(`${origin}/a?b=c#d`)).toBe(`127.0.0.1:${portOf(origin)} /a?b=c`)
  expect(await get(`http://idp.example:${portOf(origin)}/`)).toBe(`idp.example:${portOf(origin)} /`)
})

test.each([
  ['nonsense', '"nonsense" is not a web address'],
  ['file:///etc/passwd', '"file:///etc/passwd" is not a web address'],
  ['gopher://127.0.0.1/', '"gopher://127.0.0.1/" is not a web address'],
  ['http://user@127.0.0.1/', 'the address carries a name or a password'],
  ['http://user:word@127.0.0.1/', 'the address carries a name or a password'],
  ['http://127.0.0.1:22/', 'port 22 is not one of the web'],
  ['http://127.0.0.1:1023/', 'port 1023 is not one of the web'],
  ['http://127.0.0.2/', 'it does not lead to a public address'],
  ['http://[::1]/', 'it does not lead to a public address'],
  ['http://0/', 'it does not lead to a public address'],
])('%s is refused', async (url, message) => {
  await expect(get(url)).rejects.toThrow(new EgressRefused(message))
})

test('a name is refused by its addresses, and a missing name in the same way', async () => {
  const message = 'it does not lead to a public address'
  for (const addresses of [[], ['127.0.0.2'], ['10.0.0.1', 'fe80::1'], ['::ffff:127.0.0.2']]) {
    const resolve: Resolve = () => Promise.resolve(addresses)
    await expect(get('http://idp.example:8080/', { resolve })).rejects.toThrow(new EgressRefused(message))
  }
  await expect(guardedGet({ allowed_networks: [] })('http://localhost:8080/', bounds)).rejects.toThrow(
    message,
  )
})

test('a name that changes its address meanwhile is called at the checked one', async () => {
  const origin = await served((_, response) => response.end('fine'))
  const askedInside = await inside(portOf(origin))
  let lookups = 0
  const resolve: Resolve = () => Promise.resolve([lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'])
  const url = `http://rebinding.example:${portOf(origin)}/`
  expect(await get(url, { resolve })).toBe('fine')
  expect(lookups).toBe(1)
  await expect(get(url, { resolve })).rejects.toThrow(EgressRefused)
  expect(await get(url, { resolve: () => Promise.resolve(['127.0.0.2', '127.0.0.1']) })).toBe('fine')
  expect(askedInside()).toBe(0)
})

test('redirects are followed, up to three', async () => {
  const origin = await served((request, response) => {
    const count = Number(request.url?.slice(1))
    if (count === 0) return void response.end('there')
    response.writeHead(302, { location: `/${count - 1}` }).end('not there')
  })
  expect(await get(`${origin}/3`)).toBe('there')
  await expect(get(`${origin}/4`)).rejects.toThrow(new EgressFailed('more than 3 redirects'))
})

test('a redirect is checked like the first URL', async () => {
  const origin = await served((request, response) => {
    const location = decodeURIComponent(request.url?.slice(1) ?? '')
    response.writeHead(307, { location }).end()
  })
  const askedInside = await inside(portOf(origin))
  let lookups = 0
  const resolve: Resolve = () => Promise.resolve([lookups++ === 0 ? '127.0.0.1' : '127.0.0.2'])
  for (const location of [
    `http://127.0.0.2:${portOf(origin)}/`,
    `http://[::ffff:127.0.0.2]:${portOf(origin)}/`,
    'file:///etc/passwd',
    'http://user:word@127.0.0.1/',
    'http://127.0.0.1:22/',
    'http://[',
  ])
    await expect(get(`${origin}/${encodeURIComponent(location)}`)).rejects.toThrow(EgressFailed)
  const again = `http://rebinding.example:${portOf(origin)}/`
  await expect(get(`${again}${encodeURIComponent(again)}`, { resolve })).rejects.toThrow(EgressFailed)
  expect(lookups).toBe(2)
  expect(askedInside()).toBe(0)
})

test.each<[what: string, answer: http.RequestListener]>([
  ['a failure', (_, response) => void response.writeHead(500).end('secret')],
  ['no content', (_, response) => void response.writeHead(204).end()],
  ['not modified', (_, response) => void response.writeHead(304).end()],
  ['a redirect to nowhere', (_, response) => void response.writeHead(302).end()],
  ['a connection that breaks off', (_, response) => void response.destroy()],
  [
    'content that breaks off',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 9 }).write('a', () => response.destroy()),
  ],
  ['a long content', (_, response) => void response.end('x'.repeat(1001))],
  [
    'a bomb',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a')),
  ],
  ['long headers', (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()],
  [
    'another protocol',
    ({ socket }) =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['no web at all', ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
])('%s fails', async (_, answer) => {
  await expect(get(await served(answer))).rejects.toThrow(EgressFailed)
})

test('an endless response is cut off at the size limit', async () => {
  const closed = vi.fn()
  const origin = await served((_, response) => {
    const more = () => void response.write('x'.repeat(100), more)
    response.on('close', closed)
    more()
  })
  await expect(get(origin)).rejects.toThrow(new EgressFailed('the content is longer than 1000 bytes'))
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
})

test('one deadline covers name, connection, redirects, headers and content', async () => {
  const closed = vi.fn()
  const silent = net.createServer((socket) => void socket.on('close', closed).resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const drips = await served((_, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => {
      clearInterval(timer)
      closed()
    })
  })
  const message = new EgressFailed('took more than 300 ms')
  const over = { timeoutMs: 300 }
  for (const url of [`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`, drips])
    await expect(get(url, { over })).rejects.toThrow(message)
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2))
  const never: Resolve = () => new Promise(() => undefined)
  await expect(get('http://slow.example/', { over, resolve: never })).rejects.toThrow(message)
})

test('concurrent requests queue, and too many are refused', async () => {
  let [open, peak] = [0, 0]
  const origin = await served((_, response) => {
    peak = Math.max(peak, ++open)
    setTimeout(() => response.end('done', () => open--), 20)
  })
  const guarded = guardedGet(onLoopback, here)
  const all = await Promise.allSettled(Array.from({ length: 25 }, () => guarded(origin, bounds)))
  expect(peak).toBeLessThanOrEqual(4)
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect(all.filter((one) => one.status === 'rejected' && one.reason instanceof TooBusy)).toHaveLength(5)
})

test('https needs a valid certificate, and does not redirect to http', async () => {
  const { privateKey, certificate } = selfSigned('idp.example')
  const plain = await served((_, response) => response.end('plain'))
  const server = https
    .createServer(
      {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      },
      (request, response) => {
        if (request.url === '/down') response.writeHead(302, { location: plain })
        response.end('sealed')
      },
    )
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `https://idp.example:${(server.address() as AddressInfo).port}`
  await expect(get(origin)).rejects.toThrow(/self-signed/)
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await get(origin)).toBe('sealed')
  await expect(get(`${origin}/down`)).rejects.toThrow(new EgressFailed('a redirect leads from https to http'))
})
