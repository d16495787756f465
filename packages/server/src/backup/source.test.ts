import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { absent, isThere } from './source.ts'

test.each(['ENOENT', 'ENOTDIR'])('what is answered by %s is not there', (code) => {
  expect(absent('/d/database', Object.assign(new Error('none'), { code }))).toBe(false)
})

test.each(['EACCES', 'EPERM', 'EIO'])('of what is answered by %s nobody knows', (code) => {
  expect(() => absent('/d/database', Object.assign(new Error('refused'), { code }))).toThrow(
    '/d/database cannot be read (refused). Run this as the user whom it belongs to.',
  )
})

test('a file is there, or not, or hidden from whoever asks', async () => {
  const folder = await temporaryFolder()
  await expect(isThere(folder)).resolves.toBe(true)
  await expect(isThere(path.join(folder, 'none'))).resolves.toBe(false)
  await fs.symlink('itself', path.join(folder, 'itself'))
  await expect(isThere(path.join(folder, 'itself'))).rejects.toThrow('cannot be read')
})
