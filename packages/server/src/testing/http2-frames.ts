import { constants } from 'node:http2'

/** Frame types (RFC 9113, 6). */
const type = { headers: 1, resetStream: 3, settings: 4, ping: 6, continuation: 9 }
const endStream = 1
const endHeaders = 4

/** A frame (RFC 9113, 4.1). */
function frame(kind: keyof typeof type, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type[kind], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const begin = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('settings', 0, 0)])
/**
 * A valid connection start followed by `count` of these frames in one piece, which no client library can
 * send.
 */
const said = (count: number, each: (index: number) => Buffer[]): Buffer =>
  Buffer.concat([begin, ...Array.from({ length: count }, (_, index) => each(index)).flat()])

const literal = (index: number, text: string) => Buffer.from([index, text.length, ...Buffer.from(text)])
// GET and https are entries 2 and 7 of the static table, :path 4 and :authority 1 (RFC 7541, A).
const request = (path: string) =>
  Buffer.concat([Buffer.from([0x82, 0x87]), literal(4, path), literal(1, 'localhost')])
const streamAt = (index: number): number => 2 * index + 1

/** Streams that are opened and reset at once. */
export function rapidResets(count: number, path = '/v1/held'): Buffer {
  const cancel = Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL])
  return said(count, (index) => [
    frame('headers', endStream | endHeaders, streamAt(index), request(path)),
    frame('resetStream', 0, streamAt(index), cancel),
  ])
}

/** Streams whose requests never end. */
export const openStreams = (count: number, path: string): Buffer =>
  said(count, (index) => [frame('headers', endHeaders, streamAt(index), request(path))])

/** One request whose header never ends, in parts of 16 kB. */
export function endlessHeader(count: number, path: string): Buffer {
  const name = literal(0, 'x')
  // Numbers from 127 on continue in further bytes (RFC 7541, 5.1): here 127 + 93 + 124 * 128.
  const value = Buffer.concat([Buffer.from([0x7f, 93 | 0x80, 124]), Buffer.alloc(127 + 93 + 124 * 128, 'x')])
  return said(count, (index) =>
    index === 0
      ? [frame('headers', endStream, 1, request(path))]
      : [frame('continuation', 0, 1, Buffer.concat([name, value]))],
  )
}

/** Frames that each require an acknowledgement. */
export const pingFrames = (count: number): Buffer => said(count, () => [frame('ping', 0, 0, Buffer.alloc(8))])
export const settingsFrames = (count: number): Buffer => said(count, () => [frame('settings', 0, 0)])
