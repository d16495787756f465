import { expect, test } from 'vitest'
import { bytesOf, publicBytesOf } from './chosen-file.ts'
import { failureText } from '../feedback/failure-text.ts'
import { asFailure } from '#/data/failure.ts'

const unreadable = (name: string) =>
  Object.assign(new Blob(['x']), {
    arrayBuffer: () => Promise.reject(new DOMException('the browser’s own words', name)),
  })
const said = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: unknown) => failureText(asFailure(error)),
  )

test.each([
  ['NotReadableError', 'The file was changed since it was chosen. Choose it again.'],
  ['NotFoundError', 'The file was moved or deleted since it was chosen. Choose it again.'],
])('of a file that ends in %s says why', async (name, words) => {
  expect(await said(bytesOf(unreadable(name)))).toBe(words)
  expect(await said(publicBytesOf(unreadable(name), 'Cert'))).toBe(words)
})

test('refuses a private key where others may read the file', async () => {
  const key = new Blob(['\n-----BEGIN OPENSSH PRIVATE KEY-----\nbm90'])
  expect(await said(publicBytesOf(key, 'User Data'))).toBe(
    'User Data: this file is an OpenSSH private key. It was not sent. Choose another file.',
  )
  expect(await said(bytesOf(key))).toBe('read')
})

test('accepts a file that contains one further on, as cloud-init’s host keys do', async () => {
  const config = new Blob([
    '#cloud-config\nssh_keys:\n  rsa_private: |\n    -----BEGIN RSA PRIVATE KEY-----\n',
  ])
  expect(await said(publicBytesOf(config, 'User Data'))).toBe('read')
})
