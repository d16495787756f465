import { expect, test } from 'vitest'
import { ClientMessages, joined, viewOf } from './client-messages.ts'
import { HeldKeys } from './held-keys.ts'

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const greeting = [text('RFB 003.008\n'), Uint8Array.of(1), Uint8Array.of(0)]
const key = (symbol: number, isDown: boolean): Uint8Array =>
  Uint8Array.of(4, Number(isDown), 0, 0, 0, 0, symbol >> 8, symbol & 0xff)
const placedKey = (isDown: boolean): Uint8Array =>
  Uint8Array.of(255, 0, 0, Number(isDown), 0, 0, 0, 97, 0, 0, 0, 30)
const pointer = (buttons: number): Uint8Array => Uint8Array.of(5, buttons, 0, 7, 0, 9)
const encodings = (...numbers: number[]): Uint8Array => {
  const bytes = new Uint8Array(4 + 4 * numbers.length)
  bytes[0] = 2
  viewOf(bytes).setUint16(2, numbers.length)
  numbers.forEach((number, index) => viewOf(bytes).setInt32(4 + 4 * index, number))
  return bytes
}
const clipboard = (length: number): Uint8Array => {
  const bytes = new Uint8Array(8 + Math.min(length, 100))
  bytes[0] = 6
  viewOf(bytes).setUint32(4, length)
  return bytes
}
const greeted = (): ClientMessages => {
  const messages = new ClientMessages()
  for (const bytes of greeting) Array.from(messages.read(bytes))
  return messages
}

test('messages are found however they are cut', () => {
  const said = [
    ...greeting,
    Uint8Array.from({ length: 20 }, () => 0),
    encodings(0, 7, -239),
    Uint8Array.from([3, 1, 0, 0, 0, 0, 4, 0, 3, 0]),
    key(0x61, true),
    pointer(1),
    clipboard(3),
    placedKey(false),
  ]
  const whole = said.reduce((all, bytes) => joined(all, bytes), new Uint8Array())
  const kinds = 'version security init pixel-format encodings update-request key pointer clipboard key'.split(
    ' ',
  )
  for (const size of [1, 2, 7, whole.length]) {
    const messages = new ClientMessages()
    const found = []
    for (let at = 0; at < whole.length; at += size) found.push(...messages.read(whole.slice(at, at + size)))
    expect(found.map(({ kind }) => kind)).toEqual(kinds)
    // All pass as they came, except that every viewer shares the screen.
    const passed = found.flatMap(({ kind, bytes }) => (kind === 'init' ? [0] : [...bytes]))
    expect(passed).toEqual([...whole])
    expect(found.find(({ kind }) => kind === 'init')?.bytes).toEqual(Uint8Array.of(1))
  }
})

test('the machine learns of no extension whose messages are not understood', () => {
  const [message] = greeted().read(encodings(16, -312, -313, 0x574d5664, -316, -309, 50, -258, -26))
  expect(message?.bytes).toEqual(encodings(16, -258, -26))
})

test.each([
  ['another version', [text('RFB 003.003\n')], /3\.8/],
  ['no RFB', [text('GET / HTTP/1.1')], /3\.8/],
  ['an authentication', [greeting[0], Uint8Array.of(2)], /authentication/],
  ['an unknown message', [...greeting, Uint8Array.of(1)], /not RFB/],
  ['sound', [...greeting, Uint8Array.of(255, 1, 0, 2)], /sound/],
  ['a long clipboard', [...greeting, clipboard(64 * 1024 + 1)], /clipboard/],
  ['a clipboard of another kind', [...greeting, clipboard(0xfffffff0)], /clipboard/],
  ['many encodings', [...greeting, Uint8Array.of(2, 0, 255, 255)], /encodings/],
])('%s is refused', (_, said, words) => {
  const messages = new ClientMessages()
  expect(() => {
    for (const bytes of said) Array.from(messages.read(bytes ?? new Uint8Array()))
  }).toThrow(words)
})

test('a megabyte of anything is read or refused, and at most one message of it is kept', () => {
  const messages = greeted()
  const all = new Uint8Array(1024 * 1024)
  for (let at = 0; at + 6 <= all.length; at += 6) all.set(pointer(0), at)
  const count = [...messages.read(all)].length
  expect(count).toBe(Math.floor(all.length / 6))
  expect(() => [...greeted().read(all.fill(77))]).toThrow('not RFB')
})

test('keys and buttons that are held can be let go', () => {
  const messages = greeted()
  const held = new HeldKeys()
  for (const bytes of [key(0xffe3, true), key(0x63, true), key(0x63, false), placedKey(true), pointer(1)])
    for (const message of messages.read(bytes)) held.note(message)
  expect(held.release()).toEqual([key(0xffe3, false), placedKey(false), pointer(0)])
  expect(held.release()).toEqual([])
})
