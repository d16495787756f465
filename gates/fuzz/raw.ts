import net from 'node:net'
import type { Chance } from './chance.ts'
import { operations } from './document.ts'
import { nasty } from './hostile.ts'

/** Raw bytes for a socket, which no client would write. */
export function rawRequest(chance: Chance, cookie: string): Buffer {
  const op = chance.pick(operations)
  const path = op.path.replaceAll(/\{\w+\}/g, () =>
    chance.pick(['playground', 'web', '%00', '..', chance.word()]),
  )
  const pieces = [`${op.method} ${path} HTTP/1.1`, 'Host: localhost', `Cookie: ${cookie}`]
  const body = op.body ? '{"name":"raw","description":""}' : ''
  if (op.body) pieces.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  for (let bends = chance.between(1, 2); bends > 0; bends--) chance.pick(bent)(pieces, chance)
  const text = `${pieces.join(chance.odds(97) ? '\r\n' : chance.pick(['\n', '\r', '\0']))}\r\n\r\n${body}`
  const bytes = Buffer.from(text, 'latin1')
  if (chance.odds(10) && bytes.length > 0) bytes[chance.below(bytes.length)] = chance.below(256)
  return chance.odds(10) ? bytes.subarray(0, chance.below(bytes.length)) : bytes
}

type Bend = (lines: string[], chance: Chance) => void
const start = (lines: string[], text: string): void => void (lines[0] = text)
const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

const bent: readonly Bend[] = [
  () => undefined,
  (lines, chance) =>
    start(
      lines,
      chance.pick([
        '',
        ' ',
        'GET',
        'GET /',
        'GET / HTTP/9.9',
        'GET / HTTP/0.9',
        'get / HTTP/1.1',
        'PRI * HTTP/2.0',
        '\x16\x03\x01\x02',
        'GET  /  HTTP/1.1',
        'GET /\0 HTTP/1.1',
      ]),
    ),
  (lines, chance) =>
    start(
      lines,
      `${chance.pick(['CONNECT', 'TRACE', 'OPTIONS', 'PATCH', 'M-SEARCH', 'X'.repeat(50)])} ${chance.pick(['*', '/', 'a:1', '/v1/me', 'http://[::1'])} HTTP/1.1`,
    ),
  (lines, chance) =>
    start(
      lines,
      `GET ${chance.pick(['//', '/\\', '/%', '/%zz', 'http://evil.example/v1/me', 'http://a b/', '/v1/me?%', '/v1/me#x', `/${'a'.repeat(15_000)}`, '/v1/..%2f..%2f', '/./../..'])} HTTP/1.1`,
    ),
  (lines, chance) =>
    void (lines[1] = chance.pick([
      '',
      'Host:',
      'Host: a b',
      'Host: [',
      'Host: a\r\nHost: b',
      'Host: a:99999',
      'Host: é',
      'Host: localhost\r\n folded',
    ])),
  (lines, chance) =>
    void lines.push(
      `${chance.pick(['X', 'X Y', 'X:', ':', 'Cookie', 'Origin', 'If-Match', 'Accept', '__proto__', 'Content-Type'])}: ${chance.pick(nasty).slice(0, 9000)}`,
    ),
  (lines) => void lines.push(...Array.from({ length: 3000 }, (_, n) => `X${n}: 1`)),
  (lines) => void lines.push(`X: ${'x'.repeat(20_000)}`),
  (lines, chance) =>
    void lines.push(
      `Content-Length: ${chance.pick(['-1', '+1', '0x1', '1, 2', '99999999999999999999', '', '5\r\nContent-Length: 6'])}`,
    ),
  (lines, chance) =>
    void lines.push(
      `Transfer-Encoding: ${chance.pick(['chunked', 'chunked, chunked', 'gzip, chunked', 'identity', 'xchunked', ''])}`,
    ),
  (lines, chance) => {
    start(lines, 'POST /v1/projects HTTP/1.1')
    lines.push(
      'Transfer-Encoding: chunked',
      '',
      chance.pick([
        'zz\r\n{}\r\n0',
        '-1\r\n{}',
        'ffffffffffffffff\r\n{}',
        '2;ext=\0\r\n{}\r\n0',
        '2\r\n{}x\r\n0',
        '5\r\n{}',
        '0\r\nTrailer: x',
      ]),
    )
  },
  (lines, chance) => void lines.push(`Expect: ${chance.pick(['100-continue', 'x', ''])}`),
  (lines, chance) => {
    start(
      lines,
      `GET ${chance.pick(['/v1/instances/web/serial-console/stream?project=playground', '/v1/me', '/', '/%'])} HTTP/1.1`,
    )
    const some = upgrade.filter(() => chance.odds(85))
    lines.push(
      ...some,
      ...(chance.odds(30)
        ? ['Sec-WebSocket-Extensions: permessage-deflate; x=\0', 'Sec-WebSocket-Protocol: a, a']
        : []),
    )
  },
  (lines) => {
    // Bytes after an upgrade that are not a frame.
    start(lines, 'GET /v1/instances/web/serial-console/stream?project=playground HTTP/1.1')
    lines.push(...upgrade, '', '\xff\xff\xff\xff\xff\xff\xff\xff')
  },
  (lines) => void lines.push('Connection: close', '', lines.join('\r\n')),
]

export interface RawReply {
  /** The status of every response, in order. */
  statuses: number[]
}

/** Sends bytes, some of them slowly, and reads until the other end has answered or hangs up. */
export function say(port: number, bytes: Buffer, isSlow: boolean): Promise<RawReply> {
  return new Promise((resolve) => {
    let text = ''
    const socket = net.connect(port, '127.0.0.1', () => {
      if (!isSlow) return void socket.write(bytes)
      const half = Math.floor(bytes.length / 2)
      socket.write(bytes.subarray(0, half))
      setTimeout(() => socket.write(bytes.subarray(half)), 30)
    })
    const done = (): void => {
      clearTimeout(late)
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
      resolve({ statuses })
    }
    const late = setTimeout(done, 2000)
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      // The response has arrived; we close the rest, whatever its state.
      if (text.includes('\r\n\r\n')) done()
    })
    socket.on('error', done)
    socket.on('close', done)
  })
}
