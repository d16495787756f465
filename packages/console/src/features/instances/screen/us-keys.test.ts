import { expect, test } from 'vitest'
import { pressesOf, typedMax } from './us-keys.ts'
import { screenUrl } from './screen-url.ts'

test('every character of ASCII is a key of a US keyboard', () => {
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
  const { presses, missing } = pressesOf(`${all}\n\t`)
  expect([presses.length, missing]).toEqual([97, []])
  // No key types two characters.
  expect(new Set(presses.map(({ code, isShifted }) => `${code} ${isShifted}`)).size).toBe(97)
  expect(pressesOf('a_"').presses).toEqual([
    { symbol: 0x61, code: 'KeyA', isShifted: false },
    { symbol: 0x5f, code: 'Minus', isShifted: true },
    { symbol: 0x22, code: 'Quote', isShifted: true },
  ])
})

test('what cannot be typed is told, and a text has a maximum', () => {
  expect(pressesOf('aäöä\r\nb')).toMatchObject({ presses: { length: 3 }, missing: ['ä', 'ö'], tooMany: 0 })
  expect(pressesOf('x'.repeat(typedMax + 5))).toMatchObject({ presses: { length: typedMax }, tooMany: 5 })
})

test.each([
  [false, 'ws://rack:8080/ext/v1/instances/db/screen/stream?project=web'],
  [true, 'ws://rack:8080/ext/v1/instances/db/screen/stream?project=web&view_only=true'],
])('the stream is on the origin of the page', (viewOnly, expected) => {
  const location = { protocol: 'http:', host: 'rack:8080' }
  expect(screenUrl(location, { project: 'web', instance: 'db', viewOnly })).toBe(expected)
})
