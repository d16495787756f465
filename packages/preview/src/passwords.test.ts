import { expect, test } from 'vitest'
import { pbkdf2Passwords } from './passwords.ts'

test('a password verifies only against its own hash', async () => {
  const hash = await pbkdf2Passwords.hash('correct horse')
  await expect(pbkdf2Passwords.verify(hash, 'correct horse')).resolves.toBe(true)
  await expect(pbkdf2Passwords.verify(hash, 'Correct horse')).resolves.toBe(false)
  await expect(pbkdf2Passwords.verify('', '')).resolves.toBe(false)
  await expect(pbkdf2Passwords.hash('correct horse')).resolves.not.toBe(hash)
})
