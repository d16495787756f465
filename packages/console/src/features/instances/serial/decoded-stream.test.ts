import { expect, test } from 'vitest'
import { decodedStream } from './decoded-stream.ts'

const text = 'A—B\u{10000}\u{1f600}é\ufeffend'
const bytes = new TextEncoder().encode(text)

test('characters split anywhere stay whole', () => {
  for (let at = 0; at <= bytes.length; at += 1) {
    const decode = decodedStream()
    expect(decode(bytes.subarray(0, at)) + decode(bytes.subarray(at))).toBe(text)
  }
  const decode = decodedStream()
  expect(Array.from(bytes, (byte) => decode(Uint8Array.of(byte))).join('')).toBe(text)
})

test('another stream does not begin with the rest of the last', () => {
  const decode = decodedStream()
  decode(Uint8Array.of(0xe2, 0x80))
  decode.reset()
  expect(decode(Uint8Array.of(0x41))).toBe('A')
})

test('bytes that are no text become replacement characters', () =>
  expect(decodedStream()(Uint8Array.of(0x41, 0xff, 0x42))).toBe('A\ufffdB'))
