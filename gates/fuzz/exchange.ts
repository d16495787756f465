import net from 'node:net'
import { KiB } from '@gantry/api/base/bytes.rules'

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  /** None, bytes with a length header, or chunks without one. */
  body?: { text: string | Buffer; isChunked: boolean } | { announcedLength: number }
}

export interface Exchanged {
  /** 0 if the connection ended without a response. */
  status: number
  text: string
}

/** A response that takes longer is a failure; this is not a measurement. */
const deadlineMs = 60_000
const pieceBytes = 64 * KiB

/**
 * One request on a connection of its own. The body is sent only until the response arrives: an early refusal
 * stops it, and for an announced length no byte is ever sent.
 */
export function exchange(port: number, sent: Sent): Promise<Exchanged> {
  return new Promise((resolve) => {
    const heard: Buffer[] = []
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(headOf(sent))
      void writeBody(socket, sent).catch(() => undefined)
    })
    const done = (): void => {
      clearTimeout(late)
      socket.destroy()
      const text = Buffer.concat(heard).toString()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text })
    }
    const late = setTimeout(done, deadlineMs)
    socket.on('data', (piece: Buffer) => {
      heard.push(piece)
      if (isWhole(Buffer.concat(heard).toString('latin1'))) done()
    })
    // 'data' still reports what was received before a reset.
    socket.on('error', () => undefined)
    socket.on('close', done)
  })
}

function headOf({ method, path, headers, body }: Sent): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body && 'announcedLength' in body) lines.push(`content-length: ${body.announcedLength}`)
  else if (body?.isChunked) lines.push('transfer-encoding: chunked')
  else if (body) lines.push(`content-length: ${Buffer.byteLength(body.text)}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

async function writeBody(socket: net.Socket, { body }: Sent): Promise<void> {
  if (!body || 'announcedLength' in body) return
  const bytes = Buffer.from(body.text)
  for (let at = 0; at < bytes.length && socket.writable; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes)
    if (body.isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
    const isTaken = socket.write(piece)
    if (body.isChunked) socket.write('\r\n')
    if (!isTaken) await untilDrained(socket)
  }
  if (body.isChunked && socket.writable) socket.write('0\r\n\r\n')
}

const untilDrained = (socket: net.Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('drain', resolve)
    socket.once('close', resolve)
  })

/** Whether the response is complete, by its headers; a stream needs only its headers. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = text.slice(0, end)
  if (/text\/event-stream/.test(head)) return true
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return /transfer-encoding: chunked/i.test(head) ? text.endsWith('0\r\n\r\n') : / (204|303|304) /.test(head)
}
