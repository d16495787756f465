import fs from 'node:fs/promises'
import path from 'node:path'
import { fileBlocks } from '../../blocks/blocks-files.ts'
import { MAX_ANSWER_ROWS } from '@gantry/control-plane/db/bounded-pglite.js'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { eventually, testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { withNote } from '@gantry/control-plane/testing/counted-statements'
import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { prepareDataDir } from '../../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { openDatabase } from '../open.ts'
import { openPglite } from './open-pglite.ts'
import { superviseWorker } from './supervised-worker.ts'

async function opened() {
  const dataDir = await temporaryFolder()
  await prepareDataDir(dataDir)
  const crashes: Error[] = []
  const restarts: string[] = []
  const pglite = await openPglite({
    dataDir,
    onCrash: (error) => void crashes.push(error),
    onRestart: ({ message }) => void restarts.push(message),
    underTest: true,
  })
  const exhaust = async (): Promise<void> => (await pglite.worker.current()).exhaust()
  return {
    ...pglite,
    dataDir,
    crashes,
    restarts,
    exhaust,
    db: new Kysely<unknown>({ dialect: pglite.dialect }),
  }
}

describe('a worker that runs out of memory', () => {
  test('during a transaction loses that transaction, and nothing that was committed', async () => {
    const { db, exhaust, crashes, restarts, close } = await opened()
    await sql`create table t (id int primary key)`.execute(db)
    await sql`insert into t values (1)`.execute(db)
    let waiting: Promise<unknown> | undefined
    const transaction = db.transaction().execute(async (tx) => {
      await sql`insert into t values (2)`.execute(tx)
      waiting = sql`select id from t order by id`.execute(db)
      await expect(exhaust()).rejects.toBeInstanceOf(DatabaseUnreachable)
      // The rest of the transaction must not run alone on the next worker.
      await expect(sql`insert into t values (3)`.execute(tx)).rejects.toBeInstanceOf(DatabaseUnreachable)
    })
    await expect(transaction).rejects.toBeInstanceOf(DatabaseUnreachable)
    await expect(waiting).resolves.toMatchObject({ rows: [{ id: 1 }] })
    expect(restarts).toHaveLength(1)
    expect(crashes).toEqual([])
    await close()
  })

  test('is replaced while other processes stay locked out of the data directory', async () => {
    const { db, exhaust, dataDir, close } = await opened()
    await exhaust().catch(() => {})
    await expect(openDatabase({ dataDir })).rejects.toThrow('is in use by process')
    await expect(sql`select 1 as one`.execute(db)).resolves.toMatchObject({ rows: [{ one: 1 }] })
    await close()
  })

  test('ends the process if no replacement starts, and never creates an empty database', async () => {
    const dataDir = await temporaryFolder()
    await prepareDataDir(dataDir)
    const crashes: string[] = []
    const restarts: number[] = []
    const supervised = await superviseWorker(
      { directory: path.join(dataDir, 'database'), underTest: true },
      {
        onCrash: ({ message }) => void crashes.push(message),
        onRestart: (_, delayMs) => void restarts.push(delayMs),
        delaysMs: [1, 2],
      },
    )
    await fs.rm(path.join(dataDir, 'database', 'PG_VERSION'))
    await (await supervised.current()).exhaust().catch(() => {})
    await eventually(
      async () => crashes,
      ({ length }) => length > 0,
      20_000,
    )
    expect(restarts).toEqual([1, 2])
    expect(crashes).toEqual([
      expect.stringMatching(/^The embedded database ends again after every restart \(/),
    ])
    await supervised.close()
  })

  test('fails pending requests with 503 and advice, and the loops continue', async () => {
    const { dialect, dataDir, exhaust, db } = await opened()
    const blocks = await fileBlocks(path.join(dataDir, 'blocks'))
    // The worker takes one message at a time, so this statement is pending when it ends.
    let isSeeded = false
    let died: Promise<void> | undefined
    const dying = withNote(dialect, (text) => {
      if (isSeeded && text.startsWith('insert into "project"')) died ??= exhaust().catch(() => {})
    })
    const bed = await testControlPlane({ dialect: dying, environment: { blocks } })
    const me = await bed.signIn('admin')
    isSeeded = true
    const { status, body } = await me.post('/v1/projects', { name: 'atlas', description: '' })
    await died
    expect(status).toBe(503)
    expect(body).toMatchObject({
      error_code: 'ServiceNotAvailable',
      help: 'The database did not respond. Check whether the change was made before you try again.',
    })
    const made = await me.post('/v1/projects', { name: 'after', description: '' })
    expect(made.status).toBe(201)
    // The publisher is a loop, and numbers committed changes.
    await eventually(
      () => sql<{ left: number }>`select count(*) as left from change where seq is null`.execute(db),
      ({ rows }) => rows[0]?.left === 0,
      20_000,
    )
    bed.logged.length = 0
    await bed.stop()
  })
})

describe('a result that is too large', () => {
  test.each([
    ['rows', sql`select i from generate_series(1, ${sql.lit(MAX_ANSWER_ROWS + 1)}) i`],
    ['bytes', sql`select repeat('x', 1000000) from generate_series(1, 600)`],
  ])('in %s fails only that statement', async (_, statement) => {
    const { db, restarts, close } = await opened()
    await sql`create table t (id int)`.execute(db)
    await db.transaction().execute(async (tx) => {
      await sql`insert into t values (1)`.execute(tx)
      await expect(statement.execute(tx)).rejects.toMatchObject({ code: '54000' })
      await sql`insert into t values (2)`.execute(tx)
    })
    await expect(sql`select count(*) as count from t`.execute(db)).resolves.toMatchObject({
      rows: [{ count: 2 }],
    })
    expect(restarts).toEqual([])
    await close()
  })
})
