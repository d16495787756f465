import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Encrypter } from 'age-encryption'
import { expect, test } from 'vitest'
import { CHUNK } from '../blocks/block-paths.ts'
import { manifest } from '../testing/backups.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readArchive, verifyArchive } from './archive-reader.ts'
import { writeArchive } from './archive-writer.ts'
import { json, names } from './format.ts'
import { Problem } from '../problem.ts'

const PASSPHRASE = 'correct horse battery'

async function archive(passphrase?: string): Promise<string> {
  const file = path.join(await temporaryFolder(), 'backup.tgz')
  const writer = await writeArchive(file, manifest, passphrase)
  const rows = [['argon2-of-somebody']]
  await writer.add(names.rows('counter', 1), json({ table: 'counter', columns: ['name'], rows }))
  await writer.add(names.object(1), json({ id: 'x', size: CHUNK }))
  await writer.add(names.piece(1, 0), noise)
  await writer.finish({ rows: { counter: 1 }, objects: 1, bytes: CHUNK })
  return file
}

/** Incompressible, so that the file has many pieces. */
const noise = new Uint8Array(randomBytes(CHUNK))
let sealed: Buffer | undefined

/** Encrypted like a backup, with a key that is derived at once: the usual one takes a second on purpose. */
async function encryptedFile(change: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<string> {
  sealed ??= await quicklySealed(await fs.readFile(await archive()))
  const file = path.join(await temporaryFolder(), 'backup.age')
  await fs.writeFile(file, change(sealed))
  return file
}

async function quicklySealed(bytes: Uint8Array): Promise<Buffer> {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(10)
  encrypter.setPassphrase(PASSPHRASE)
  return Buffer.from(await encrypter.encrypt(bytes))
}

const verify = (file: string, passphrase?: string) => verifyArchive(file, () => {}, passphrase)

test('an encrypted backup reveals nothing, and is read with its passphrase', async () => {
  const file = await archive(PASSPHRASE)
  const bytes = await fs.readFile(file)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(bytes.includes('argon2-of-somebody')).toBe(false)
  await expect(verify(file, PASSPHRASE)).resolves.toMatchObject({ manifest, totals: { objects: 1 } })
  const kinds: string[] = []
  for await (const read of readArchive(file, () => {}, PASSPHRASE)) kinds.push(read.kind)
  expect(kinds).toEqual(['rows', 'object', 'piece'])
})

const flip = (at: (length: number) => number) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  copy[at(copy.length)] = (copy[at(copy.length)] ?? 0) ^ 1
  return copy
}
const PIECE = 64 * 1024 + 16

test.each<[string, (bytes: Buffer) => Buffer, string]>([
  ['a flipped bit in the middle', flip((length) => length >> 1), 'a piece of it was changed or is missing'],
  ['a flipped bit at its end', flip((length) => length - 1), 'a piece of it was changed or is missing'],
  ['a flipped bit in its head', flip(() => 60), 'does not open with this passphrase'],
  ['an end that is cut off', (bytes) => bytes.subarray(0, -1000), 'a piece of it was changed or is missing'],
  [
    'its last pieces missing',
    (bytes) => bytes.subarray(0, bytes.length - (bytes.length % PIECE) - PIECE),
    'a piece of it was changed or is missing',
  ],
  [
    'more at its end',
    (bytes) => Buffer.concat([bytes, Buffer.alloc(100)]),
    'a piece of it was changed or is missing',
  ],
])('an encrypted backup with %s is refused in a sentence', async (_, change, sentence) => {
  const file = await encryptedFile(change)
  const said: unknown = await verify(file, PASSPHRASE).catch((error: unknown) => error)
  expect(said).toBeInstanceOf(Problem)
  expect((said as Problem).message).toContain(file)
  expect((said as Problem).message).toContain(sentence)
})

test('a wrong, a missing and an unneeded passphrase are reported differently', async () => {
  const file = await encryptedFile()
  await expect(verify(file, 'another passphrase')).rejects.toThrow(
    `${file} does not open with this passphrase`,
  )
  await expect(verify(file)).rejects.toThrow(`${file} is encrypted. Name the file of its passphrase`)
  const plain = await archive()
  await expect(verify(plain, PASSPHRASE)).rejects.toThrow(`${plain} is not encrypted`)
})

test('an abandoned encrypted backup leaves nothing behind', async () => {
  const file = path.join(await temporaryFolder(), 'backup.age')
  const writer = await writeArchive(file, manifest, PASSPHRASE)
  await writer.add(names.piece(1, 0), noise)
  await writer.abandon()
  expect(await fs.readdir(path.dirname(file))).toEqual([])
})
