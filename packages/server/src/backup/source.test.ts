import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { absent, isThere, needOwnDatabase } from './source.ts'

test.each(['ENOENT', 'ENOTDIR'])('%s means missing', (code) => {
  expect(absent('/d/database', Object.assign(new Error('none'), { code }))).toBe(false)
})

test.each(['EACCES', 'EPERM', 'EIO'])('%s means unknown', (code) => {
  expect(() => absent('/d/database', Object.assign(new Error('refused'), { code }))).toThrow(
    '/d/database cannot be read (refused). Run this as the user whom it belongs to.',
  )
})

test('a file exists, is missing, or is hidden from the caller', async () => {
  const folder = await temporaryFolder()
  await expect(isThere(folder)).resolves.toBe(true)
  await expect(isThere(path.join(folder, 'none'))).resolves.toBe(false)
  await fs.symlink('itself', path.join(folder, 'itself'))
  await expect(isThere(path.join(folder, 'itself'))).rejects.toThrow('cannot be read')
})

test.skipIf(process.platform === 'win32')("root does not touch another user's database", async () => {
  const folder = await temporaryFolder()
  const directory = path.join(folder, 'database')
  await fs.mkdir(directory)
  // Only root can give it away, and for anyone else it belongs to another user already.
  if (process.getuid?.() === 0) await fs.chown(directory, 65_534, 65_534)
  const { uid } = await fs.stat(directory)
  await expect(needOwnDatabase(folder, 0)).rejects.toThrow(
    `${directory} belongs to user ${uid}, whose server could not use what root writes into it.`,
  )
  await expect(needOwnDatabase(folder, uid)).resolves.toBeUndefined()
})
