import { expect, test } from 'vitest'
import { privateKeyIn, withoutPrivateKeys } from './private-key.rules.ts'

const pem = (label: string) => `-----BEGIN ${label}-----\nbm90LWEtcmVhbC1rZXk=\n-----END ${label}-----\n`

test.each([
  [pem('OPENSSH PRIVATE KEY'), 'an OpenSSH private key'],
  [pem('OPENSSH PRIVATE KEY').replaceAll('\n', ' '), 'an OpenSSH private key'],
  ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', 'an OpenSSH private key'],
  [pem('PRIVATE KEY'), 'a private key'],
  [pem('RSA PRIVATE KEY'), 'a private key'],
  [pem('EC PRIVATE KEY'), 'a private key'],
  [pem('ENCRYPTED PRIVATE KEY'), 'a private key'],
  [`  text before\r\n${pem('DSA PRIVATE KEY')}`, 'a private key'],
  ['PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none', 'a PuTTY private key file'],
  ['---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----', 'an SSH2 private key'],
  [pem('PGP PRIVATE KEY BLOCK'), 'a PGP private key'],
  ['AGE-SECRET-KEY-1QQQQ', 'an age private key'],
  [pem('PUBLIC KEY'), undefined],
  [pem('CERTIFICATE'), undefined],
  ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@my-private-key', undefined],
  ['', undefined],
])('%j contains %j', (text, expected) => expect(privateKeyIn(text)).toBe(expected))

test('a chain is kept without the key in it', () => {
  const chain = pem('CERTIFICATE')
  expect(withoutPrivateKeys(chain + pem('RSA PRIVATE KEY') + chain)).toBe(chain + chain)
  expect(withoutPrivateKeys(`a ${chain}`)).toBe(`a ${chain}`)
})
