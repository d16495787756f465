import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled } from '../../testing/bundled.ts'
import { prepareDataDir } from '../../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { openDatabase } from '../open.ts'
import type { Exclusively } from './dialect.ts'
import { openPglite } from './open-pglite.ts'
import { upkeep } from './upkeep.ts'

const unexpected = (error: Error): void => {
  throw error
}

let inserting: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  inserting = await bundled('src/testing/inserting-process.ts')
})
afterAll(() => inserting.remove())

async function dataDirWithDatabase(): Promise<string> {
  const dataDir = await temporaryFolder()
  await prepareDataDir(dataDir)
  return dataDir
}

test('every commit is synced to the disk', async () => {
  const dataDir = await dataDirWithDatabase()
  const { worker: supervised, close } = await openPglite({ dataDir, onCrash: unexpected, underTest: true })
  const worker = await supervised.current()
  await worker.query('create table t (id int primary key)', [])
  const before = await worker.fsyncs()
  for (let id = 0; id < 100; id += 1) await worker.query('insert into t values ($1)', [id])
  expect((await worker.fsyncs()) - before).toBeGreaterThanOrEqual(100)

  const { rows } = await worker.query(
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by 1`,
    [],
  )
  expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on'])
  await close()
})

test('kill -9 during inserts loses nothing that was acknowledged', async () => {
  const dataDir = await dataDirWithDatabase()
  const acknowledged: number[] = []
  // On a busy machine, the first processes are ended before they have begun.
  for (let round = 0; round < 4 || acknowledged.length <= 50; round += 1) {
    const child = start(inserting.file, [dataDir, String((acknowledged.at(-1) ?? 0) + 2)])
    const said = await killAfter(child, 150 + round * 130)
    acknowledged.push(...said)
  }
  expect(acknowledged.length).toBeGreaterThan(50)

  const { dialect, close } = await openDatabase({ dataDir })
  const db = new Kysely<{ row: { id: number } }>({ dialect })
  const byHeap = await sql<{ id: number }>`select id from row order by id`.execute(db)
  const kept = new Set(byHeap.rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  // Index and table agree.
  for (const id of acknowledged.slice(-20)) {
    await expect(db.selectFrom('row').select('id').where('id', '=', id).execute()).resolves.toHaveLength(1)
  }
  await close()
})

test('a kill during the first start leaves nothing that breaks the next one', async () => {
  const dataDir = await temporaryFolder()
  const child = start(inserting.file, [dataDir])
  await until(async () => {
    const unfinished = (await fs.readdir(dataDir)).find((name) => name.startsWith('database-unfinished-'))
    await fs.access(path.join(dataDir, unfinished ?? 'not yet', 'base'))
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { close } = await openDatabase({ dataDir })
  await close()
  await expect(fs.access(path.join(dataDir, 'database', 'PG_VERSION'))).resolves.toBeUndefined()
})

test('the empty database of a build is copied', async () => {
  const dataDir = await temporaryFolder()
  const prepared = path.join(path.dirname(inserting.file), 'empty-database')
  await fs.cp(path.join(await dataDirWithDatabase(), 'database'), prepared, { recursive: true })
  await fs.writeFile(`${prepared}.json`, JSON.stringify(await foldersOf(prepared)))
  const child = start(inserting.file, [dataDir])
  await expect(killAfter(child, 50, 1)).resolves.not.toEqual([])
  await fs.rm(prepared, { recursive: true })
  const { close } = await openDatabase({ dataDir })
  await close()
})

async function foldersOf(directory: string): Promise<string[]> {
  const entries = await fs.readdir(directory, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.map((folder) => path.relative(directory, path.join(folder.parentPath, folder.name)))
}

test('a second process is refused with a message, and the first continues', async () => {
  const dataDir = await dataDirWithDatabase()
  const { dialect, close } = await openDatabase({ dataDir })
  const second = start(inserting.file, [dataDir])
  let sentence = ''
  second.stderr?.on('data', (bytes) => (sentence += bytes))
  const [code] = await once(second, 'close')
  expect(code).toBe(1)
  expect(sentence).toBe(
    `The data directory ${await fs.realpath(dataDir)} is in use by process ${process.pid}. ` +
      'Stop that process first, or name another directory with --data-dir.\n',
  )
  await expect(sql`select 1 as one`.execute(new Kysely({ dialect }))).resolves.toMatchObject({
    rows: [{ one: 1 }],
  })
  await close()
})

test('a folder of another version or with other contents is left unchanged', async () => {
  const dataDir = await temporaryFolder()
  const database = path.join(dataDir, 'database')
  await fs.mkdir(database)
  await fs.writeFile(path.join(database, 'notes.txt'), 'mine')
  await expect(openDatabase({ dataDir })).rejects.toThrow('is not empty and holds no database')
  await fs.writeFile(path.join(database, 'PG_VERSION'), '15\n')
  await expect(openDatabase({ dataDir })).rejects.toThrow('is of PostgreSQL 15, and this program reads 18')
  await expect(fs.readdir(database)).resolves.toEqual(['PG_VERSION', 'notes.txt'])
})

test('after a failed sync nothing more is acknowledged, and the next worker has what was acknowledged', async () => {
  const dataDir = await dataDirWithDatabase()
  const restarts: string[] = []
  const { worker, dialect, close } = await openPglite({
    dataDir,
    onCrash: unexpected,
    onRestart: ({ message }) => void restarts.push(message),
    underTest: true,
  })
  const db = new Kysely({ dialect })
  await sql`create table t (id int primary key)`.execute(db)
  await sql`insert into t values (0)`.execute(db)
  await (await worker.current()).failFsyncs()
  await expect(sql`insert into t values (1)`.execute(db)).rejects.toBeInstanceOf(DatabaseUnreachable)
  // Callers wait for the next worker even before the thread has ended.
  const { rows } = await sql<{ id: number }>`select id from t order by id`.execute(db)
  expect(rows[0]).toEqual({ id: 0 })
  await sql`insert into t values (2)`.execute(db)
  expect(restarts).toEqual([expect.stringContaining('the embedded database has stopped')])
  await close()
})

test('upkeep vacuums and analyses tables with many changes', async () => {
  const dataDir = await dataDirWithDatabase()
  const { worker: supervised, close } = await openPglite({ dataDir, onCrash: unexpected })
  const worker = await supervised.current()
  await worker.query('create table busy as select generate_series(1, 2000) as id', [])
  await worker.query('update busy set id = id + 1', [])
  const alone: Exclusively = (work) => work(worker)
  await expect(upkeep(alone)).resolves.toContain('public.busy')
  await expect(upkeep(alone)).resolves.not.toContain('public.busy')
  await close()
})

function start(file: string, args: string[]): ChildProcess {
  return spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Kills a process that long after it has opened its database and inserted so many rows, and returns all of them. */
async function killAfter(child: ChildProcess, ms: number, rows = 0): Promise<number[]> {
  let said = ''
  let errors = ''
  child.stdout?.on('data', (bytes) => (said += bytes))
  child.stderr?.on('data', (bytes) => (errors += bytes))
  const ended = once(child, 'close')
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the process ended by itself: ${errors}`)
    if (!said.startsWith('open\n') || said.split('\n').length < 2 + rows) throw new Error('not there yet')
  })
  await pause(ms)
  child.kill('SIGKILL')
  await ended
  // The last line may be cut.
  return said.split('\n').slice(1, -1).map(Number)
}

/** Repeats an attempt until it succeeds, or the test is out of time: a busy machine starts processes slowly. */
async function until(attempt: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 240_000
  for (;;) {
    try {
      return void (await attempt())
    } catch (error) {
      if (Date.now() > end) throw error
      await pause(10)
    }
  }
}
