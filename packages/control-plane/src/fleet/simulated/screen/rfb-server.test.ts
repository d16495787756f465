import { expect, test } from 'vitest'
import { RfbClient } from '@gantry/control-plane/testing/rfb-client'
import { Keyboard } from './keys.ts'
import { RfbServer } from './rfb-server.ts'
import { textGrid } from './text-grid.ts'

function watched(encodings?: number[]) {
  const grid = textGrid(40, 6)
  const keys: [number, boolean][] = []
  const server = new RfbServer({
    grid,
    title: 'Simulated',
    name: 'walker',
    onKey: (symbol, isDown) => keys.push([symbol, isDown]),
  })
  const said: Uint8Array[] = []
  const client = new RfbClient((bytes) => said.push(bytes), encodings)
  const settle = (): number => {
    let bytes = 0
    for (;;) {
      for (const message of said.splice(0)) server.receive(message)
      const sent = server.take(1000)
      if (sent.length === 0 && said.length === 0) return bytes
      bytes += sent.length
      client.receive(sent)
    }
  }
  const print = (text: string): number => {
    grid.write(text)
    server.refresh()
    return settle()
  }
  settle()
  return { client, keys, print, settle, server }
}

test.each([
  ['RRE', [2, 0]],
  ['raw pixels', [0]],
])('a viewer sees what the guest prints, by %s', (_, encodings) => {
  const { client, print } = watched(encodings)
  expect([client.name, client.width, client.height]).toEqual(['walker', 480, 126])
  print('one\r\ntwo \x1b[1mthree\x1b[0m\r\nfour')
  expect(client.text()).toBe('Simulated\none\ntwo three\nfour_\n\n\n')
})

test('a change costs its row, and no change costs nothing', () => {
  const { client, print, settle } = watched()
  print('one\r\ntwo')
  const { updates } = client
  expect(print('!')).toBeLessThan(3000)
  expect(client.updates).toBe(updates + 1)
  expect(settle()).toBe(0)
})

test('a viewer that asks and does not read holds one picture', () => {
  const { client, server, settle } = watched([0])
  for (let count = 0; count < 1000; count++) client.request(false)
  expect(settle()).toBeLessThan(1001 * 480 * 126 * 4)
  expect(server.hasOutput()).toBe(false)
})

test('a text console knows what simulated guests print', () => {
  const { client, print } = watched()
  print('abc\b\bX\x1b[K')
  expect(client.text().split('\n')[1]).toBe('aX_')
  print('\x1b[H\x1b[2J\x1b[?45hclean\r\n\x1b')
  print('[Aup')
  // The cursor is on the letter between.
  expect(client.text().split('\n').slice(1, 3)).toEqual(['up?an', ''])
  print(`\r\n${'x'.repeat(45)}`)
  expect(client.text().split('\n').slice(2, 4)).toEqual(['x'.repeat(40), 'xxxxx_'])
  print('\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6 \u{1f980}')
  expect(client.text().split('\n').slice(1)).toEqual(['1', '2', '3', '4', '5', '6 ?_'])
})

test('keys become what a serial line carries', () => {
  const keyboard = new Keyboard()
  const press = (...symbols: number[]) =>
    symbols.map((symbol) => {
      const done = keyboard.press(symbol, true)
      return typeof done === 'object' ? done.typed : done
    })
  expect(press(0x61, 0x41, 0xe4, 0x1000000 + 0x1f980)).toEqual(['a', 'A', 'ä', '\u{1f980}'])
  expect(press(0xff0d, 0xff08, 0xff52, 0xffe1)).toEqual(['\r', '\x7f', '\x1b[A', undefined])
  expect(keyboard.press(0x61, false)).toBeUndefined()
  expect(press(0xffe3, 0x63, 0x31)).toEqual([undefined, '\x03', undefined])
  expect(press(0xffe9, 0xffff)).toEqual([undefined, 'reset'])
  for (const symbol of [0xffe3, 0xffe9]) keyboard.press(symbol, false)
  expect(press(0xffff)).toEqual(['\x1b[3~'])
})

test('what is not RFB ends the conversation', () => {
  const { server } = watched()
  expect(() => server.receive(Uint8Array.of(77))).toThrow('not RFB')
})
