import { expect, test } from 'vitest'
import { argon2Passwords } from './passwords.ts'

test('a password verifies only against its own hash', async () => {
  const hash = await argon2Passwords.hash('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await expect(argon2Passwords.verify(hash, 'correct horse')).resolves.toBe(true)
  await expect(argon2Passwords.verify(hash, 'Correct horse')).resolves.toBe(false)
  await expect(argon2Passwords.hash('correct horse')).resolves.not.toBe(hash)
})

test('a broken hash verifies no password', async () => {
  await expect(argon2Passwords.verify('', 'x')).resolves.toBe(false)
  await expect(argon2Passwords.verify('$argon2id$nonsense', 'x')).resolves.toBe(false)
})
