import { expect, test } from 'vitest'
import { sshKeyDoubt, sshKeyRefusal } from './ssh-key.rules.ts'

test.each([
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB me@laptop',
  'ssh-rsa AAAAB3NzaC1yc2E=',
  'ecdsa-sha2-nistp256 AAAAE2VjZHNh',
  'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1l yubikey',
  'sk-ecdsa-sha2-nistp256@openssh.com AAAAInNr',
  'ssh-rsa-cert-v01@openssh.com AAAAHHNzaC1yc2EtY2Vy me',
  'ssh-mldsa44-ed25519@openssh.com AAAAH3NzaC1tbGRzYTQ0',
  'from="10.0.0.0/8",command="echo a b" ssh-ed25519 AAAAC3 me',
  'restrict ssh-ed25519 AAAAC3 with a longer comment',
  '# two\nssh-ed25519 AAAAC3\r\nssh-rsa AAAAB3==\n',
])('%j looks like a public key', (text) => {
  expect(sshKeyDoubt(text)).toBeUndefined()
  expect(sshKeyRefusal(text)).toBeUndefined()
})

test.each([
  ['k', /doesn’t look like/],
  ['', /doesn’t look like/],
  ['AAAAC3NzaC1lZDI1NTE5AAAAIB', /doesn’t look like/],
  ['ssh-ed25519', /doesn’t look like/],
  ['ssh-rsa AAAAB3NzaC1yc2E\nAAAADAQABAAAB', /broken into lines/],
  ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----', /SSH2 form/],
  ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /PEM block/],
])('%j is asked about', (text, doubt) => {
  expect(sshKeyDoubt(text)).toMatch(doubt)
  expect(sshKeyRefusal(text)).toBeUndefined()
})

test('a private key is refused', () =>
  expect(sshKeyRefusal('PuTTY-User-Key-File-2: ssh-rsa')).toMatchObject({
    message: 'this is a PuTTY private key file',
  }))
