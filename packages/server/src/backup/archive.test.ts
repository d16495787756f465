import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { queryObjects } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { knownMigrations } from '@gantry/control-plane/db/migrate'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { describe, expect, test, vi } from 'vitest'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { CHUNK, objectPaths } from '../blocks/block-paths.ts'
import { backUpTo, controlPlaneOn, manifest, restoreFrom } from '../testing/backups.ts'
import { lockDataDir } from '../database/data-dir-lock.ts'
import { prepareDataDir } from '../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { verifyArchive } from './archive-reader.ts'
import { writeArchive } from './archive-writer.ts'
import { needEmptyDataDir } from './empty-data-dir.ts'
import { json, type Manifest, names } from './format.ts'
import { holdBlocks } from './held-blocks.ts'
import { filling, Problem } from '../problem.ts'
import { asProblem } from './restore.ts'
import { restoredObjects } from './restored-objects.ts'
import { tarEntry } from './tar.ts'
import { intoOf, markUnfinished, needNoUnfinishedRestore } from './unfinished-restore.ts'

const batch = {
  table: 'counter',
  columns: ['name', 'value'],
  rows: [
    ['a', '1'],
    ['b', null],
  ],
}

/** Incompressible, so that a changed bit affects one byte. */
const noise = new Uint8Array(randomBytes(CHUNK))

async function archive(changed: Partial<Manifest> = {}): Promise<string> {
  const file = path.join(await temporaryFolder(), 'backup.tgz')
  const writer = await writeArchive(file, { ...manifest, ...changed })
  await writer.add(names.rows('counter', 1), json(batch))
  await writer.add(names.object(1), json({ id: 'x', size: 3 * CHUNK }))
  await writer.add(names.piece(1, 2), noise)
  await writer.finish({ rows: { counter: 2 }, objects: 1, bytes: CHUNK })
  return file
}

test('a complete backup is verified, and any tar can list it', async () => {
  const file = await archive()
  const { manifest: read, totals } = await verifyArchive(file, () => {})
  expect(read).toEqual(manifest)
  expect(totals).toMatchObject({ rows: { counter: 2 }, objects: 1, bytes: CHUNK })
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
  expect(await fs.readdir(path.dirname(file))).toEqual(['backup.tgz'])
})

describe('what is refused before anything is written', () => {
  const damage: Record<string, (bytes: Buffer) => Buffer> = {
    'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
    'cut at its last byte': (bytes) => bytes.subarray(0, -1),
    'with a flipped bit': (bytes) => {
      const changed = Buffer.from(bytes)
      changed[Math.floor(bytes.length / 2)] = (changed[Math.floor(bytes.length / 2)] ?? 0) ^ 4
      return changed
    },
    'with a changed byte, compressed again': (bytes) => {
      const tar = gunzipSync(bytes)
      const at = tar.indexOf('blocks/1/2') + 512 + 100
      tar[at] = (tar[at] ?? 0) ^ 1
      return gzipSync(tar)
    },
    'without an entry': (bytes) => {
      const tar = gunzipSync(bytes)
      const [from, length] = [
        tar.indexOf('rows/counter/1.json'),
        tarEntry('x', json(batch), new Date()).length,
      ]
      return gzipSync(Buffer.concat([tar.subarray(0, from), tar.subarray(from + length)]))
    },
    'with something after its end': (bytes) =>
      gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from('more')])),
    'without its end': (bytes) => {
      const tar = gunzipSync(bytes)
      return gzipSync(Buffer.concat([tar.subarray(0, tar.indexOf('totals.json')), Buffer.alloc(1024)]))
    },
    'of nothing': () => Buffer.alloc(0),
    'of something else': () => Buffer.from('SQLite format 3'),
    'of another archive': () =>
      gzipSync(Buffer.concat([tarEntry('notes.txt', json('x'), new Date()), Buffer.alloc(1024)])),
  }
  test.each(Object.entries(damage))('a file %s', async (_, spoil) => {
    const file = await archive()
    await fs.writeFile(file, spoil(await fs.readFile(file)))
    const dataDir = path.join(await temporaryFolder(), 'data')
    await expect(restoreFrom(file, { dataDir, database: undefined })).rejects.toThrow(
      `${file} is no whole backup of Gantry: `,
    )
    await expect(fs.access(dataDir)).rejects.toThrow('ENOENT')
  })

  test.each<[string, Partial<Manifest>, string]>([
    [
      'format',
      { format: 2 },
      'of a newer version, Gantry 9.9.9. Restore it with that version or a newer one.',
    ],
    [
      'schema',
      { migrations: [...knownMigrations, '9999-later'] },
      'a newer version, Gantry 9.9.9 (9999-later).',
    ],
  ])('one of a newer %s', async (_, changed, sentence) => {
    const dataDir = path.join(await temporaryFolder(), 'data')
    await expect(restoreFrom(await archive(changed), { dataDir, database: undefined })).rejects.toThrow(
      sentence,
    )
    await expect(fs.access(dataDir)).rejects.toThrow('ENOENT')
  })

  test('a path that is not a file', async () => {
    const folder = await temporaryFolder()
    const kept = { dataDir: path.join(folder, 'data'), database: undefined }
    await expect(restoreFrom(path.join(folder, 'none'), kept)).rejects.toThrow('There is no file')
    await expect(restoreFrom(folder, kept)).rejects.toThrow('is no file. Name one that gantry backup wrote.')
  })
})

test('a file of another user is refused with a sentence', async () => {
  const file = await archive()
  // Root may read any file.
  vi.spyOn(fs, 'access').mockRejectedValueOnce(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
  await expect(verifyArchive(file, () => {})).rejects.toThrow(
    `${file} cannot be read (EACCES). Run this as the user whom it belongs to.`,
  )
})

describe('a new archive', () => {
  test('never overwrites a file', async () => {
    const file = await archive()
    await expect(writeArchive(file, manifest)).rejects.toThrow('There is something at')
  })

  test('needs its folder', async () => {
    const file = path.join(await temporaryFolder(), 'none', 'backup.tgz')
    await expect(writeArchive(file, manifest)).rejects.toThrow(`There is no folder ${path.dirname(file)}.`)
  })

  test('leaves nothing behind when abandoned, and removes leftovers of a killed one', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'backup.tgz')
    // No process has this id: it is above the system's maximum.
    await fs.writeFile(`${file}.unfinished-99999999`, 'half')
    await fs.writeFile(`${file}.unfinished-${process.ppid}`, 'of somebody alive')
    const writer = await writeArchive(file, manifest)
    await writer.add('rows/a/1.json', new Uint8Array(5 * CHUNK))
    await writer.abandon()
    expect(await fs.readdir(folder)).toEqual([`backup.tgz.unfinished-${process.ppid}`])
  })

  test('names the leftover of a killed process with the same id, as in a container', async () => {
    const file = path.join(await temporaryFolder(), 'backup.tgz')
    const leftover = `${file}.unfinished-${process.pid}`
    await fs.writeFile(leftover, 'half')
    const refused = await writeArchive(file, manifest).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Problem)
    expect((refused as Problem).message).toContain(`at ${leftover}. Remove it if no backup is running`)
  })

  test.each([undefined, 'correct horse'])(
    'says when it does not fit (passphrase: %s)',
    async (passphrase) => {
      const open = fs.open
      vi.spyOn(fs, 'open').mockImplementationOnce(async (...at) => {
        const handle = await open(...at)
        const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
        vi.spyOn(handle, 'write').mockRejectedValue(full)
        return handle
      })
      const file = path.join(await temporaryFolder(), 'backup.tgz')
      const writer = await writeArchive(file, manifest, passphrase)
      const fill = async () => {
        for (;;) await writer.add(names.piece(1, 2), noise)
      }
      await expect(fill()).rejects.toThrow(`There is not enough space for ${file}`)
      await writer.abandon()
    },
  )

  test('keeps nothing of the pieces written', async () => {
    const writer = await writeArchive(path.join(await temporaryFolder(), 'backup.tgz'), manifest)
    const add = async (count: number) => {
      for (let at = 0; at < count; at++) await writer.add(names.piece(1, at), noise.subarray(0, 65_536))
      return queryObjects(Promise, { format: 'count' })
    }
    const few = await add(10)
    expect(await add(200)).toBeLessThan(few + 100)
    await writer.abandon()
  })
})

test.each([
  ['ENOSPC', 'There is not enough space for /backups, and nothing was written.'],
  ['EDQUOT', 'There is not enough space for /backups'],
  ['EACCES', '/backups cannot be written'],
  ['EROFS', '/backups cannot be written'],
  ['ENOTDIR', '/backups cannot be written: a file is where a folder should be (no). Name another place.'],
])('%s is reported in a sentence', async (code, sentence) => {
  const failed = filling('/backups', () => Promise.reject(Object.assign(new Error('no'), { code })))
  await expect(failed).rejects.toThrow(sentence)
})

const ofPostgres = (code: string) => Object.assign(new Error('secret row'), { code, severity: 'ERROR' })

test.each([
  [
    ofPostgres('23505'),
    'The database refused what is in /b.tgz (23505). Nothing was restored; restore another backup.',
  ],
  [ofPostgres('22P02'), 'The database refused what is in /b.tgz (22P02).'],
  [
    ofPostgres('53100'),
    'The volume of the database is full (53100). Nothing was restored, and the backup is whole:',
  ],
  [
    ofPostgres('42501'),
    'The database could not take what is in /b.tgz (42501). Nothing was restored, and the backup is',
  ],
  [
    new DatabaseUnreachable('the connection was lost'),
    'The database cannot be reached (the connection was lost).',
  ],
])('a restore that ends with %o says whose fault it is', (error, sentence) => {
  const problem = asProblem(error, '/b.tgz')
  expect(problem).toBeInstanceOf(Problem)
  expect((problem as Problem).message).toContain(sentence)
  expect((problem as Problem).message).not.toContain('secret')
})

describe('blocks', () => {
  test('that a killed backup held are freed by the next one, and those of a running one stay', async () => {
    const folder = await temporaryFolder()
    const unfinished = path.join(folder, 'unfinished')
    for (const name of ['backup-killed', 'backup-running'])
      await fs.mkdir(path.join(unfinished, name), { recursive: true })
    await fs.utimes(path.join(unfinished, 'backup-killed'), 0, 0)
    const held = await holdBlocks(folder)
    await held.release()
    expect(await fs.readdir(unfinished)).toEqual(['backup-running'])
  })

  test.each(['ENOSPC', 'EACCES', 'EROFS'])('that cannot be held are a problem: %s', async (code) => {
    const folder = await temporaryFolder()
    vi.spyOn(fs, 'mkdir').mockRejectedValueOnce(Object.assign(new Error('no'), { code }))
    await expect(holdBlocks(folder)).rejects.toBeInstanceOf(Problem)
  })

  test.each(['ab', 'ab/cd'])('in a folder %s that cannot be read end the backup', async (name) => {
    const folder = await temporaryFolder()
    const unreadable = path.join(folder, name)
    await fs.mkdir(path.dirname(unreadable), { recursive: true })
    await fs.writeFile(unreadable, '')
    const held = await holdBlocks(folder)
    await expect(held.hold()).rejects.toThrow(`${unreadable} cannot be read (ENOTDIR`)
    await held.release()
  })

  test('remain readable after removal while held, and holes stay holes', async () => {
    const folder = await temporaryFolder()
    const blocks = await fileBlocks(path.join(folder, 'from'))
    await blocks.create('a', 100 * CHUNK + 10)
    await blocks.write('a', 5 * CHUNK - 1, new Uint8Array([1, 2]))
    await blocks.write('a', 100 * CHUNK + 9, new Uint8Array([3]))
    await blocks.write('a', 9 * CHUNK, new Uint8Array(CHUNK))
    const held = await holdBlocks(path.join(folder, 'from'))
    await held.hold()
    await blocks.remove('a')
    const restored = await restoredObjects({
      blocks: path.join(folder, 'to'),
      fleet: path.join(folder, 'fleet'),
    })
    const chunks: number[] = []
    await held.read(
      'a',
      (size) => restored.object({ id: 'a', size }),
      async (chunk, bytes) => {
        chunks.push(chunk)
        await restored.piece(chunk, bytes)
      },
    )
    await restored.finish()
    await held.release()
    // Written zeros are not a piece.
    expect(chunks).toEqual([4, 5, 100])
    const again = await fileBlocks(path.join(folder, 'to'))
    await expect(again.size('a')).resolves.toBe(100 * CHUNK + 10)
    await expect(again.read('a', 5 * CHUNK - 2, 4)).resolves.toEqual(new Uint8Array([0, 1, 2, 0]))
    await expect(again.read('a', 100 * CHUNK + 8, 9)).resolves.toEqual(new Uint8Array([0, 3]))
    expect(await fs.readdir(folder)).not.toContain('fleet')
    // A copy preserves the holes too.
    await again.create('copy', 100 * CHUNK + 10, 'a')
    await expect(again.digest('copy')).resolves.toBe(await again.digest('a'))
    expect(await fs.readdir(path.join(folder, 'from', 'unfinished'))).toEqual([])
  })
})

describe('on a file system without hard links', () => {
  const withoutLinks = () =>
    vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))

  test('blocks are read in place, and nothing of those that were removed before their turn', async () => {
    const folder = await temporaryFolder()
    const blocks = await fileBlocks(folder)
    for (const id of ['kept', 'removed']) await blocks.create(id, CHUNK)
    const links = withoutLinks()
    const held = await holdBlocks(folder)
    await held.hold()
    links.mockRestore()
    await blocks.remove('removed')
    const sizes: [string, number][] = []
    for (const id of ['kept', 'removed'])
      await held.read(
        id,
        async (size) => void sizes.push([id, size]),
        async () => {},
      )
    expect(sizes).toEqual([['kept', CHUNK]])
    // A file that the backup itself writes to is another matter.
    const isGone = Object.assign(new Error('gone'), { code: 'ENOENT' })
    const head = () => Promise.reject(new Error('not written', { cause: isGone }))
    await expect(held.read('kept', head, async () => {})).rejects.toThrow('not written')
    await held.release()
  })
})

test('bytes that must exist are counted, and without any of them there is no backup', async () => {
  const kept = { dataDir: await temporaryFolder(), database: undefined }
  await prepareDataDir(kept.dataDir)
  const folder = path.join(kept.dataDir, 'blocks')
  const bed = await controlPlaneOn(kept)
  const { content_id } = await bed.db.selectFrom('image').select('content_id').executeTakeFirstOrThrow()
  await bed.stop()
  const file = path.join(await temporaryFolder(), 'backup')
  await expect(backUpTo(`${file}-1`, kept)).resolves.toMatchObject({ without: 0, lost: 0 })
  await fs.rm(objectPaths(folder, content_id).folder, { recursive: true })
  await expect(backUpTo(`${file}-2`, kept)).resolves.toMatchObject({ without: 1, lost: 1 })
  await fs.rename(folder, `${folder}-unmounted`)
  await fs.mkdir(folder)
  await expect(backUpTo(`${file}-3`, kept)).rejects.toThrow(
    /^The bytes of \d+ finished disks, snapshots and images were not found\. Check that .*blocks is the right folder/,
  )
  expect(await fs.readdir(path.dirname(file))).toEqual(['backup-1', 'backup-2'])
})

describe('a data directory', () => {
  const folderWith = async (files: readonly string[]): Promise<string> => {
    const folder = await temporaryFolder()
    for (const file of files) {
      await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await fs.writeFile(path.join(folder, file), '')
    }
    return folder
  }

  test.each(['database/PG_VERSION', 'blocks/ab/cd/x/data', 'notes.txt'])(
    'with %s is not empty',
    async (file) => {
      const folder = await folderWith([file])
      await expect(needEmptyDataDir(folder)).rejects.toThrow(`${folder} is not empty: it has`)
    },
  )

  test('with only the traces of a killed server and of a restore is empty', async () => {
    const folder = await folderWith(['lock-1-abc.sock', 'control.sock', 'restore-unfinished.json'])
    await fs.mkdir(path.join(folder, 'database-unfinished-a1B2c3'))
    await expect(needEmptyDataDir(folder)).resolves.toBeUndefined()
  })

  test('with a store that never had a disk is empty', async () => {
    const folder = await temporaryFolder()
    await fs.mkdir(path.join(folder, 'blocks', 'unfinished'), { recursive: true })
    await needEmptyDataDir(folder)
    expect(await fs.readdir(folder)).toEqual([])
  })

  test('with an incomplete restore starts no server, and with a complete one it does', async () => {
    const dataDir = await temporaryFolder()
    const place = { dataDir }
    await needNoUnfinishedRestore(dataDir, place)
    await markUnfinished(dataDir, { id: 'b', file: '/b.tgz', into: intoOf(place) })
    await expect(needNoUnfinishedRestore(dataDir, place)).rejects.toThrow(
      `A restore of /b.tgz into the embedded database and ${dataDir} did not come to its end.`,
    )
    const lock = await lockDataDir(dataDir)
    await expect(needNoUnfinishedRestore(dataDir, place)).rejects.toThrow(
      `A restore of /b.tgz into ${dataDir} is running (process ${process.pid}). Wait until it ends, and start again.`,
    )
    await lock.release()
    // The database comes last: after a crash from here on, only the marker is left over.
    await fs.mkdir(path.join(dataDir, 'database'))
    await needNoUnfinishedRestore(dataDir, place)
    expect(await fs.readdir(dataDir)).toEqual(['database'])
  })
})
