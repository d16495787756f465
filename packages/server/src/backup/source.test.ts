import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { absent, isThere, needOwnDatabase } from './source.ts'

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

test.skipIf(process.platform === 'win32')('root leaves the database of somebody else alone', async () => {
  const folder = await temporaryFolder()
  const directory = path.join(folder, 'database')
  await fs.mkdir(directory)
  // Only root can give it away, and to anybody else it is somebody's already.
  if (process.getuid?.() === 0) await fs.chown(directory, 65_534, 65_534)
  const { uid } = await fs.stat(directory)
  await expect(needOwnDatabase(folder, 0)).rejects.toThrow(
    `${directory} belongs to user ${uid}, whose server could not use what root writes into it.`,
  )
  await expect(needOwnDatabase(folder, uid)).resolves.toBeUndefined()
})
