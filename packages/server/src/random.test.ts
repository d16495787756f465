import { expect, test } from 'vitest'
import { pooledRandom } from './random.ts'

test('random bytes have the wanted length and never repeat, within and beyond a draw', () => {
  const random = pooledRandom()
  const drawn = Array.from({ length: 2000 }, () => random(16))
  expect(drawn.every((bytes) => bytes.length === 16)).toBe(true)
  expect(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(drawn.length)
  expect(random(0)).toHaveLength(0)
  const long = random(10_000)
  expect(long).toHaveLength(10_000)
  expect(long.subarray(5000).some((byte) => byte !== 0)).toBe(true)
})

test("bytes that were handed out are the caller's own", () => {
  const random = pooledRandom()
  const first = random(16)
  const copy = Uint8Array.from(first)
  random(16).fill(7)
  for (let draw = 0; draw < 600; draw++) random(16)
  expect(first).toEqual(copy)
})
