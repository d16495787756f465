import net from 'node:net'
import { defaultSettings } from '@gantry/control-plane/settings'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveRedirects } from './redirect.ts'

const isApi = (_: string, pathname: string): boolean => pathname.startsWith('/v1/')

async function redirecting(origins: string[] = [], serves = isApi, onPort = 0) {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const server = await serveRedirects(
    { serves },
    {
      host: '127.0.0.1',
      port: onPort,
      httpsPort: 8443,
      origins,
      dnsZone: 'example',
      limits: defaultSettings.http,
      log,
    },
  )
  onTestFinished(server.stop)
  return { ...server, log }
}

/** Everything received before the connection closes. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => (said += String(bytes)))
    socket.on('close', () => resolve(said))
    socket.on('error', reject)
  })
}
const request = (start: string, host: string, more = ''): string =>
  `${start} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`

test.each([
  ['localhost:8080', 'https://localhost:8443/projects?page=2'],
  ['[::1]:8080', 'https://[::1]:8443/projects?page=2'],
  ['acme.sys.example', 'https://acme.sys.example:8443/projects?page=2'],
  // The browsers' port differs from the port listened on.
  ['gantry.example', 'https://gantry.example/projects?page=2'],
  ['other.example:80', 'https://other.example:444/projects?page=2'],
])('a page at %s redirects to %s', async (host, location) => {
  const { port } = await redirecting([
    'https://gantry.example',
    'https://other.example:444',
    'http://other.example',
  ])
  for (const method of ['GET', 'HEAD']) {
    const said = await say(port, request(`${method} /projects?page=2`, host))
    expect(said).toMatch(/^HTTP\/1\.1 308 /)
    expect(said).toContain(`\r\nlocation: ${location}\r\n`)
    expect(said).toContain('\r\nx-frame-options: DENY\r\n')
    expect(said.toLowerCase()).not.toContain('strict-transport-security')
  }
})

test('a target that only resembles a path stays on the host', async () => {
  const { port } = await redirecting()
  expect(await say(port, request('GET //evil.example/%0d%0aset-cookie:x', 'localhost'))).toContain(
    '\r\nlocation: https://localhost:8443//evil.example/%0d%0aset-cookie:x\r\n',
  )
})

test.each([
  ['GET /v1/me', 'localhost', '', 403, 'Use https.\n'],
  ['GET /v1/me', 'localhost', 'Authorization: Bearer x\r\n', 403, 'revoke the token'],
  ['GET /v1/me', 'localhost', 'Cookie: session=x\r\n', 403, 'End the session'],
  ['POST /anything', 'localhost', '', 403, 'Use https.\n'],
  ['GET /', 'evil.example', '', 421, 'does not answer for evil.example'],
  ['GET /', 'a b', '', 400, 'Bad request'],
  ['GET /', 'a@localhost', '', 400, 'Bad request'],
  ['GET /', ':b@localhost', '', 400, 'Bad request'],
  ['GET http://evil.example/', 'localhost', '', 400, 'Bad request'],
  ['nonsense', 'localhost', '', 400, ''],
  ['GET /v1/me', 'localhost', 'Connection: upgrade\r\nUpgrade: websocket\r\n', 403, 'Use https.\n'],
])('%s at %s is refused (%j): %i', async (start, host, more, status, text) => {
  const { port, log } = await redirecting()
  const said = await say(port, request(start, host, more))
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(said).toContain(text)
  expect(said).not.toContain('location:')
  expect(log.warn).toHaveBeenCalledTimes(/^(Auth|Cookie)/.test(more) ? 1 : 0)
})

test('a bug in an answer only closes its connection', async () => {
  const { port, log } = await redirecting([], (_, pathname) => {
    if (pathname === '/throw') throw new Error('a bug')
    return false
  })
  expect(await say(port, request('GET /throw', 'localhost'))).toBe('')
  expect(log.error).toHaveBeenCalledOnce()
  expect(await say(port, request('GET /', 'localhost'))).toMatch(/^HTTP\/1\.1 308 /)
})

test('a port in use is reported with the option that names it', async () => {
  const { port } = await redirecting()
  await expect(redirecting([], isApi, port)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --http-port.`,
  )
})
