import http from 'node:http'
import { expect, test, vi } from 'vitest'
import { type DownloadedPart, DownloadFailed } from '@gantry/control-plane/blocks/downloads'
import { served } from '../testing/served.ts'
import { guardedDownloads } from './guarded-downloads.ts'
import type { Resolve } from './resolve.ts'

const limits = { answerMs: 2000, windowMs: 300, windowBytes: 1000 }
const here: Resolve = () => Promise.resolve(['127.0.0.1'])
const bytes = Buffer.from('0123456789'.repeat(100))
const never = new AbortController().signal

const open = (url: string, from?: DownloadedPart, resolve = here, signal = never) =>
  guardedDownloads({ allowed_networks: ['127.0.0.1/32'] }, resolve, limits).open(url, from, signal)

async function fetched(url: string, from?: DownloadedPart) {
  const { pieces, ...download } = await open(url, from)
  const content: Uint8Array[] = []
  for await (const piece of pieces) content.push(piece)
  return { ...download, content: String(Buffer.concat(content)) }
}

/** A server that sends the rest of a file if it is the same. */
const resuming: http.RequestListener = ({ headers: { range, 'if-range': same } }, response) => {
  const from = same === '"1"' ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
  const headers = { etag: '"1"', 'content-type': 'Application/Octet-Stream; x=y' }
  const place = from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}
  response
    .writeHead(from > 0 ? 206 : 200, { ...headers, ...place, 'content-length': bytes.length - from })
    .end(bytes.subarray(from))
}

test('a file is read as a whole, or from where it ended', async () => {
  const origin = await served(resuming)
  const whole = { size: 1000, validator: '"1"', contentType: 'application/octet-stream' }
  expect(await fetched(`${origin}/a.raw`)).toEqual({ ...whole, offset: 0, content: String(bytes) })
  expect(await fetched(`${origin}/a.raw`, { offset: 600, validator: '"1"' })).toEqual({
    ...whole,
    offset: 600,
    content: String(bytes.subarray(600)),
  })
  // Of another file, all of it is sent.
  expect(await fetched(`${origin}/a.raw`, { offset: 600, validator: '"0"' })).toMatchObject({ offset: 0 })
})

test.each<[what: string, headers: http.OutgoingHttpHeaders, validator: string | undefined]>([
  ['a strong tag', { etag: '"x"', 'last-modified': 'Mon' }, '"x"'],
  ['a weak tag', { etag: 'W/"x"', 'last-modified': 'Mon' }, 'Mon'],
  ['a time', { 'last-modified': 'Mon' }, 'Mon'],
  ['nothing', {}, undefined],
  ['a server that sends no parts', { etag: '"x"', 'accept-ranges': 'none' }, undefined],
])('%s recognises a file', async (_, headers, validator) => {
  const origin = await served((_, response) => void response.writeHead(200, headers).end('a'))
  expect((await fetched(`${origin}/a`)).validator).toBe(validator)
})

test('addresses that only this server reaches are refused, also by a redirect and by a name', async () => {
  const refused = 'This server does not fetch files from there: it does not lead to a public address.'
  for (const url of ['http://127.0.0.2:8080/a', 'http://[::1]:8080/a', 'http://169.254.169.254/latest'])
    await expect(open(url)).rejects.toThrow(refused)
  const inside: Resolve = () => Promise.resolve(['10.0.0.1'])
  await expect(open('http://images.test/a', undefined, inside)).rejects.toThrow(refused)
  let asked = 0
  const origin = await served((_, response) => {
    asked += 1
    response.writeHead(302, { location: 'http://127.0.0.2:8080/a' }).end()
  })
  await expect(open(`${origin}/a`)).rejects.toThrow('a redirect is not followed')
  expect(asked).toBe(1)
})

test('a redirect is followed, and one that never ends is not', async () => {
  const origin = await served((request, response) => {
    if (request.url === '/file') return resuming(request, response)
    response.writeHead(302, { location: request.url === '/once' ? '/file' : '/loop' }).end()
  })
  expect(await fetched(`${origin}/once`, { offset: 600, validator: '"1"' })).toMatchObject({ offset: 600 })
  await expect(open(`${origin}/loop`)).rejects.toThrow('more than 5 redirects')
})

test.each<[kind: DownloadFailed['kind'], message: string, answer: http.RequestListener]>([
  [
    'lasting',
    'The server has no such file (status 404).',
    (_, response) => void response.writeHead(404).end(),
  ],
  ['lasting', 'The server answered with status 403.', (_, response) => void response.writeHead(403).end()],
  ['passing', 'The server answered with status 503.', (_, response) => void response.writeHead(503).end()],
  ['lasting', 'The server answered with status 204.', (_, response) => void response.writeHead(204).end()],
  ['lasting', 'The server answered with status 206.', (_, response) => void response.writeHead(206).end()],
  [
    'lasting',
    'The server compresses the file for its transfer.',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
  ],
  [
    'passing',
    'The server could not be reached, or the connection broke.',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 9 }).write('a', () => response.destroy()),
  ],
  [
    'passing',
    'The server could not be reached, or the connection broke.',
    ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  ],
  ['passing', 'The server did not answer in time.', () => {}],
])('%s: %s', async (kind, message, answer) => {
  const error = await fetched(`${await served(answer)}/a`).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(DownloadFailed)
  expect(error).toMatchObject({ kind, message })
})

test('a part that was not asked for is refused', async () => {
  const origin = await served((_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-9/1000', 'content-length': 10 }).end('0123456789')
  })
  await expect(open(`${origin}/a`, { offset: 600, validator: '"1"' })).rejects.toThrow(
    'another part of the file',
  )
})

test('a server that trickles is given up, and one that the reader lets wait is not', async () => {
  const closed = vi.fn()
  const drips = await served((_, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => {
      clearInterval(timer)
      closed()
    })
  })
  await expect(fetched(`${drips}/a`)).rejects.toThrow('The server sends less than 1 MiB a minute.')
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
  const { pieces } = await open(`${await served(resuming)}/a`)
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    await new Promise((resolve) => setTimeout(resolve, 2 * limits.windowMs))
  }
  expect(length).toBe(bytes.length)
})

test('the connection ends with the signal, and when the pieces are not read to the end', async () => {
  const closed = vi.fn()
  const origin = await served((_, response) => {
    const more = () => void response.write('x'.repeat(5000), more)
    response.on('close', closed)
    more()
  })
  for await (const _ of (await open(`${origin}/a`)).pieces) break
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
  const ending = new AbortController()
  const { pieces } = await open(`${origin}/a`, undefined, here, ending.signal)
  const reason = new Error('stop')
  await expect(
    (async () => {
      for await (const _ of pieces) ending.abort(reason)
    })(),
  ).rejects.toThrow(reason)
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2))
})
