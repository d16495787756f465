import { expect, test } from 'vitest'
import { fromBase32, toBase32 } from './base32.ts'
import { totpCode, totpStepAt, totpStepOf, totpUri } from './totp.ts'

const secret = toBase32(new TextEncoder().encode('12345678901234567890'))
const at = (seconds: number) => new Date(seconds * 1000)

// RFC 6238, appendix B; apps show the last six digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %d the code is %s', async (seconds, code) => {
  expect(await totpCode(secret, totpStepAt(at(seconds)))).toBe(code)
  expect(await totpStepOf(secret, code, at(seconds))).toBe(totpStepAt(at(seconds)))
})

test('a code is valid one step early and one step late, and no further', async () => {
  const now = at(1_000_000_000)
  const present = totpStepAt(now)
  for (const [off, counts] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    expect(await totpStepOf(secret, await totpCode(secret, present + off), now)).toBe(
      counts ? present + off : undefined,
    )
})

test.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '0'.repeat(64)])(
  '%j is not a code',
  async (code) => expect(await totpStepOf(secret, code, at(59))).toBe(undefined),
)

test('base32 preserves every byte', () => {
  for (let length = 0; length < 24; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length * 11) & 255)
    expect(fromBase32(toBase32(bytes))).toEqual(bytes)
  }
  expect(toBase32(new TextEncoder().encode('foobar'))).toBe('MZXW6YTBOI')
})

test("the app's label names the user, whatever the name", () => {
  const uri = new URL(totpUri('ABC', { name: 'a b/c?d', silo_name: 'demo' }))
  expect(decodeURIComponent(uri.pathname)).toBe('/Gantry demo:a b/c?d')
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: 'ABC', issuer: 'Gantry demo' })
})
