import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../open.ts'
import { prepareDataDir } from '../../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

let made: string
let table: string
let index: string
beforeAll(async () => {
  made = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
  await prepareDataDir(made)
  const { dialect, close } = await openDatabase({ dataDir: made })
  const db = new Kysely<unknown>({ dialect })
  await sql`create table kept (id int primary key, text text)`.execute(db)
  await sql`insert into kept select i, repeat('x', 100) from generate_series(1, 500) i`.execute(db)
  await sql`analyze kept`.execute(db)
  const { rows } = await sql<{ table: string; index: string }>`
    select pg_relation_filepath('kept') as table, pg_relation_filepath('kept_pkey') as index`.execute(db)
  ;({ table = '', index = '' } = rows[0] ?? {})
  await close()
})
afterAll(() => fs.rm(made, { recursive: true, force: true }))

async function flip(file: string, at: number): Promise<void> {
  const bytes = await fs.readFile(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0x41
  await fs.writeFile(file, bytes)
}
const segments = async (database: string): Promise<string[]> =>
  (await fs.readdir(path.join(database, 'pg_wal')))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => path.join(database, 'pg_wal', name))

const damages: Record<string, { spoil: (database: string) => Promise<unknown>; says: string }> = {
  'a byte of pg_control': {
    spoil: (database) => flip(path.join(database, 'global', 'pg_control'), 100),
    says: 'is damaged in global/pg_control, where it keeps its own state: incorrect checksum in control file.',
  },
  'an empty pg_control': {
    spoil: (database) => fs.writeFile(path.join(database, 'global', 'pg_control'), ''),
    says: 'is damaged in global/pg_control, where it keeps its own state: could not read file "global/pg_control"',
  },
  'a log that is other bytes': {
    spoil: async (database) => {
      for (const file of await segments(database)) await fs.writeFile(file, Buffer.alloc(16 * 1024 ** 2, 7))
    },
    says: 'is damaged in pg_wal, its write-ahead log: could not locate a valid checkpoint record',
  },
  'a log that is gone': {
    spoil: async (database) => {
      for (const file of await segments(database)) await fs.rm(file)
    },
    says: 'is damaged in pg_wal, its write-ahead log: ',
  },
  'a file of the catalogue that is missing': {
    spoil: (database) => fs.rm(path.join(database, 'base', '5', '1259')),
    says: 'is damaged: could not open file "base/5/1259": No such file or directory.',
  },
  'a table that is missing': {
    spoil: (database) => fs.rm(path.join(database, table)),
    says: 'is damaged: the file of kept (base/5/',
  },
  'a table whose file is empty': {
    spoil: (database) => fs.writeFile(path.join(database, table), ''),
    says: 'is damaged: the file of kept (base/5/',
  },
  'an index whose file is empty': {
    spoil: (database) => fs.writeFile(path.join(database, index), ''),
    says: 'is damaged: the file of kept_pkey (base/5/',
  },
}

test.each(Object.entries(damages))(
  'a database with %s reports it, and loses nothing more',
  async (_, { spoil, says }) => {
    const dataDir = await temporaryFolder()
    await fs.cp(made, dataDir, { recursive: true })
    const database = path.join(dataDir, 'database')
    await spoil(database)
    const before = await filesOf(database)
    const said = await openDatabase({ dataDir }).then(
      () => 'it was opened',
      ({ message }: Error) => message,
    )
    expect(said).toContain(`The embedded database in ${database} ${says}`)
    expect(said).toContain('gantry restore FILE --data-dir FOLDER; this one was not changed.')
    expect(said).not.toContain('\n')
    const after = await filesOf(database)
    expect(before.filter((file) => !after.includes(file))).toEqual([])
  },
)

/** All files except those that PostgreSQL recreates at each start. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/^(pg_internal\.init|postmaster\..*)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

test('a page damaged at run time is reported to the caller and the log, and other data stays available', async () => {
  const dataDir = await temporaryFolder()
  await fs.cp(made, dataDir, { recursive: true })
  const first = await openDatabase({ dataDir })
  const setUp = await testControlPlane({ dialect: first.dialect })
  const who = await setUp.signIn('member')
  const key = { name: 'laptop', description: '', public_key: 'k' }
  expect((await who.post('/v1/me/ssh-keys', key)).status).toBe(201)
  const { rows } = await sql<{ file: string }>`select pg_relation_filepath('ssh_key') as file`.execute(
    setUp.db,
  )
  await setUp.stop()

  const second = await openDatabase({ dataDir })
  // The retention loop would read the table too, at a time of its own.
  const bed = await testControlPlane({ dialect: second.dialect, idle: true })
  const me = await bed.signIn('member')
  // Bytes 12 to 16 of a page delimit its free space.
  const file = path.join(dataDir, 'database', rows[0]?.file ?? '')
  for (const at of [12, 13, 14, 15]) await flip(file, at)
  const { status, body } = await me.get('/v1/me/ssh-keys')
  expect([status, body.error_code, body.help]).toEqual([
    503,
    'ServiceNotAvailable',
    expect.stringContaining('database file is damaged'),
  ])
  const line = bed.logged.find(({ level }) => level === 'error')
  expect(line?.message).toContain('restore a backup into a new data directory')
  expect(String(line?.fields['err'])).toContain('invalid page in block 0')
  expect((await me.get('/v1/projects')).status).toBe(200)
  bed.logged.length = 0
  await bed.stop()
})
