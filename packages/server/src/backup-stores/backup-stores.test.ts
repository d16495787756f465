import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BackupStore } from '@gantry/control-plane/blocks/backup-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostBackupStores } from './backup-stores.ts'
import { folderStore } from './folder-store.ts'
import { s3Secret, s3Server } from './s3-server.fixtures.ts'
import { type Bucket, s3Store } from './s3-store.ts'

let folder = ''
let server: Awaited<ReturnType<typeof s3Server>>
const never = new AbortController().signal
const loopback = { allowed_networks: ['127.0.0.0/8'] }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gantry-stores-'))
  server = await s3Server(folder)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const bucket = (more: Partial<Bucket> = {}): Bucket => ({
  type: 's3',
  endpoint: `http://127.0.0.1:${server.port}`,
  region: 'us-east-1',
  bucket: 'backups',
  prefix: 'box/one',
  path_style: true,
  access_key_id: 'S3RVER',
  ...more,
})
const openS3 = (more: Partial<Bucket> = {}, secret = s3Secret): BackupStore =>
  s3Store(bucket(more), secret, { egress: loopback, signal: never })

describe.each([
  ['folder', () => folderStore(path.join(folder, 'f'), never)],
  ['bucket with a prefix', () => openS3()],
  ['bucket without a prefix', () => openS3({ prefix: '' })],
] as const)('a %s', (_type, open) => {
  test('keeps objects by name, lists them in order, and has none that were deleted', async () => {
    const store = open()
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)
    expect(await store.get('a/b/c', 10)).toBeUndefined()
    expect(await store.has('a/b/c')).toBe(false)
    expect(await store.list('a/', undefined)).toEqual([])
    await store.put('a/b/c', Uint8Array.of(1))
    await store.put('a/b/c', bytes)
    await store.put('a/b1/d', Uint8Array.of(3))
    await store.put('a/c', new Uint8Array(0))
    await store.put('other', Uint8Array.of(4))
    expect(await store.get('a/b/c', bytes.length)).toEqual(bytes)
    expect(await store.get('a/c', 10)).toEqual(new Uint8Array(0))
    expect(await store.has('a/b/c')).toBe(true)
    expect(await store.list('a/', undefined)).toEqual(['a/b/c', 'a/b1/d', 'a/c'])
    expect(await store.list('a/', 'a/b/c')).toEqual(['a/b1/d', 'a/c'])
    expect(await store.list('a/b/', undefined)).toEqual(['a/b/c'])
    await expect(store.get('a/b/c', 1000)).rejects.toThrow(/longer than/)
    for (const name of ['a/b/c', 'a/b1/d', 'a/c', 'a/c', 'other']) await store.remove(name)
    expect(await store.list('', undefined)).toEqual([])
  })
})

test('a folder lists a thousand names at once, and the rest after the last one', async () => {
  const store = folderStore(path.join(folder, 'many'), never)
  const names = Array.from({ length: 1003 }, (_, at) => `m/${at % 2}/${String(at).padStart(4, '0')}`).sort()
  for (const name of names) {
    await mkdir(path.dirname(path.join(folder, 'many', name)), { recursive: true })
    await writeFile(path.join(folder, 'many', name), 'x')
  }
  const first = await store.list('m/', undefined)
  expect(first).toEqual(names.slice(0, 1000))
  expect(await store.list('m/', first.at(-1))).toEqual(names.slice(1000))
})

test('a folder leaves nothing unfinished behind, and says what is wrong', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, 'x')
  const store = folderStore(file, never)
  await expect(store.put('a', Uint8Array.of(1))).rejects.toThrow(/cannot be used \(ENOTDIR|EEXIST/)
  const good = folderStore(path.join(folder, 'g'), never)
  await good.put('x/y', Uint8Array.of(1))
  expect(await readdir(path.join(folder, 'g', 'x'))).toEqual(['y'])
  expect(hostBackupStores({ backups: { at_once: 1 }, egress: loopback }).whyNot('folder')).toMatch(
    /no folder for backups/,
  )
})

test('a folder lists nothing that a crash left unfinished, and removes it once it is old', async () => {
  const store = folderStore(path.join(folder, 'crashed'), never)
  await store.put('manifests/one', Uint8Array.of(1))
  const [fresh, old] = ['.tmp-fresh', '.tmp-old'].map((name) =>
    path.join(folder, 'crashed', 'manifests', name),
  )
  for (const file of [fresh, old]) await writeFile(file ?? '', 'half')
  await utimes(old ?? '', 0, 0)
  expect(await store.list('manifests/', undefined)).toEqual(['manifests/one'])
  expect(await readdir(path.join(folder, 'crashed', 'manifests'))).toEqual(['.tmp-fresh', 'one'])
})

test('a bucket says what is wrong: its key, its name, its address', async () => {
  await expect(openS3({}, 'wrong').put('a', Uint8Array.of(1))).rejects.toMatchObject({
    message: expect.stringContaining('SignatureDoesNotMatch'),
    help: expect.stringContaining('secret'),
  })
  await expect(openS3({ bucket: 'nobody' }).get('a', 10)).rejects.toMatchObject({
    message: expect.stringContaining('NoSuchBucket'),
  })
  await expect(openS3({ bucket: 'nobody' }).put('a', Uint8Array.of(1))).rejects.toMatchObject({
    help: 'Make the bucket, or check its name.',
  })
  const guarded = s3Store(bucket(), s3Secret, { egress: { allowed_networks: [] }, signal: never })
  await expect(guarded.has('a')).rejects.toMatchObject({
    help: expect.stringContaining('egress.allowed_networks'),
  })
  const named = s3Store(bucket({ endpoint: `http://store.test:${server.port}` }), s3Secret, {
    egress: { allowed_networks: [] },
    signal: never,
    resolve: async () => ['127.0.0.1'],
  })
  await expect(named.has('a')).rejects.toMatchObject({
    help: expect.stringContaining('egress.allowed_networks'),
  })
})
