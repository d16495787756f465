import { expect, test } from 'vitest'
import { passwordMaxBytes, passwordMinLength, passwordProblem } from './password.rules.ts'

test.each(['', 'a', 'elevenchars', 'é'.repeat(11), '🦀'.repeat(11)])('%j is too short', (password) =>
  expect(passwordProblem(password)).toBe(`a password must have at least ${passwordMinLength} characters`),
)

test('a password has at most 512 bytes, whatever its number of characters', () => {
  const longest = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(0x1f300 + index)).join('')
  expect(passwordProblem(longest)).toBeUndefined()
  expect(passwordProblem(`${longest}x`)).toBe(`a password must have at most ${passwordMaxBytes} bytes`)
})

test.each([
  'password1234',
  'PASSWORD1234',
  'P@ssw0rd2026!',
  'passwordpassword',
  'qwertyuiop12',
  'qwerty123456',
  '1qaz2wsx3edc',
  '1q2w3e4r5t6y',
  '123456789012',
  '210987654321',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'abcdefghijkl',
  'iloveyou1234',
  'Welcome2026!!',
  'letmein-please',
  'changeme!changeme!',
  'bench-bench-bench',
  'gantrygantry1',
  'Summer2026Winter',
  'adminadminadmin',
  'correcthorsebatterystaple',
  '            ',
  '!@#$%^&*()!@',
])('%j is easy to guess', (password) =>
  expect(passwordProblem(password)).toMatch(/^this password is easy to guess/),
)

test.each([
  'correct horse',
  'battery staple',
  'kuba-mofi-tedu-zori-pesa',
  'a small grey pebble',
  'Tr4versing-Nimbus',
  'пароль не из списка',
  'xV9#kQ2$mL7!',
])('%j is accepted', (password) => expect(passwordProblem(password)).toBeUndefined())

test('names of the user and the silo add no strength', () => {
  expect(passwordProblem('mara.lindqvist-84')).toBeUndefined()
  expect(passwordProblem('mara.lindqvist-84', ['mara.lindqvist', 'atlas'])).toMatch(/easy to guess/)
  expect(passwordProblem('Atlas-Lindqvist26', ['mara.lindqvist', 'atlas'])).toMatch(/easy to guess/)
})
