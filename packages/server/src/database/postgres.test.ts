import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { openDatabase } from './open.ts'

const postgres = await temporaryPostgres()
afterAll(() => ('missing' in postgres ? undefined : postgres.stop()))
const crash = 'missing' in postgres ? undefined : postgres.crash
if (!crash) console.warn('skipped: a PostgreSQL server that ends, for want of one that may be ended')

describe.skipIf(!crash)('a PostgreSQL server that ends', () => {
  test('is reported as unreachable at any point of a transaction, and used again once it is back', async () => {
    if ('missing' in postgres || !crash) return
    const { dialect, close } = await openDatabase({ url: await postgres.newDatabase() })
    const db = new Kysely<unknown>({ dialect })
    const ask = sql`SELECT 1`
    await ask.execute(db)
    const waiting = sql`SELECT pg_sleep(60)`.execute(db).catch((error: unknown) => error)
    // Between two statements no pending query could report the loss.
    const between = await db.startTransaction().execute()
    await ask.execute(between)
    await crash()
    expect(await waiting).toBeInstanceOf(DatabaseUnreachable)
    await expect(ask.execute(between)).rejects.toBeInstanceOf(DatabaseUnreachable)
    await between
      .rollback()
      .execute()
      .catch(() => {})
    await expect(ask.execute(db)).resolves.toMatchObject({ rows: [expect.anything()] })
    await close()
  })
})

describe.skipIf('missing' in postgres)('a transaction that is left open', () => {
  const opened = async (idleInTransactionMs?: number) => {
    if ('missing' in postgres) throw new Error(postgres.missing)
    const { dialect, close } = await openDatabase(
      { url: await postgres.newDatabase() },
      { idleInTransactionMs },
    )
    const db = new Kysely<unknown>({ dialect })
    await sql`CREATE TABLE kept (id int)`.execute(db)
    await sql`INSERT INTO kept VALUES (1)`.execute(db)
    return { db, close }
  }
  const lock = sql`SELECT id FROM kept FOR UPDATE`

  test('loses its locks, and its connection is reported as lost', async () => {
    const { db, close } = await opened(200)
    const left = await db.startTransaction().execute()
    await lock.execute(left)
    await expect(lock.execute(db)).resolves.toMatchObject({ rows: [{ id: 1 }] })
    await expect(lock.execute(left)).rejects.toBeInstanceOf(DatabaseUnreachable)
    await left
      .rollback()
      .execute()
      .catch(() => {})
    await expect(lock.execute(db)).resolves.toMatchObject({ rows: [{ id: 1 }] })
    await close()
  })

  test('is reported as ended to a statement sent at the same moment', async () => {
    const { db, close } = await opened(100)
    const left = await db.startTransaction().execute()
    await lock.execute(left)
    // Nothing is read meanwhile, as in an overloaded process.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    await expect(lock.execute(left)).rejects.toMatchObject({
      constructor: DatabaseUnreachable,
      cause: { code: '25P03' },
    })
    await left
      .rollback()
      .execute()
      .catch(() => {})
    await close()
  })

  test("stays open by default, whatever the server's own setting", async () => {
    const { db, close } = await opened()
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db)
    const name = sql.id(rows[0]?.name ?? '')
    await sql`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = 100`.execute(db)
    const long = await db.startTransaction().execute()
    const other = await db.startTransaction().execute()
    const said = sql<{ idle: string; count: string }>`
      SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('tcp_keepalives_count') AS count`
    // The second connection was opened after the server's own setting.
    for (const one of [long, other])
      await expect(said.execute(one)).resolves.toMatchObject({ rows: [{ idle: '0', count: '3' }] })
    for (const one of [long, other]) await one.rollback().execute()
    await close()
  })
})

const paused = 'missing' in postgres || process.platform !== 'linux' ? undefined : postgres
describe.skipIf(!paused?.pause)('a PostgreSQL server that is paused', () => {
  const opened = async () => {
    const url = (await paused?.newDatabase()) ?? ''
    const database = await openDatabase({ url })
    const db = new Kysely<unknown>({ dialect: database.dialect })
    await sql`CREATE TABLE kept (id int PRIMARY KEY)`.execute(db)
    return { ...database, db, url }
  }
  const whilePaused = async (work: () => Promise<void>): Promise<void> => {
    await paused?.pause?.()
    try {
      await work()
    } finally {
      await paused?.resume?.()
    }
  }

  test('fails every request instead of hanging, and recovers afterwards', async () => {
    const { db, close, limitStatements } = await opened()
    limitStatements(1000)
    // More than there are connections, so that some wait for one.
    await Promise.all(Array.from({ length: 12 }, () => sql`SELECT pg_sleep(0.2)`.execute(db)))
    let isBegun: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (isBegun = resolve))
    let goOn: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (goOn = resolve))
    const transaction = db.transaction().execute(async (tx) => {
      await sql`INSERT INTO kept VALUES (1)`.execute(tx)
      isBegun?.()
      await gate
      await sql`INSERT INTO kept VALUES (2)`.execute(tx)
    })
    await begun
    await whilePaused(async () => {
      goOn?.()
      const reads = Array.from({ length: 15 }, () => sql`SELECT 1`.execute(db))
      for (const outcome of await Promise.allSettled([transaction, ...reads]))
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnreachable) })
    })
    await expect
      .poll(
        () =>
          sql`SELECT 1`.execute(db).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true)
    // Every connection is fresh: outside any transaction, and without another query's answer.
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => sql<{ n: number }>`SELECT ${sql.lit(index)} AS n`.execute(db)),
    )
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 12 }, (_, index) => index))
    await expect(sql`SELECT id FROM kept`.execute(db)).resolves.toMatchObject({ rows: [] })
    await close()
  })

  test('reports that an unanswered commit may have succeeded', async () => {
    const { dialect, limitStatements } = await opened()
    const bed = await testControlPlane({ dialect })
    const me = await bed.signIn('admin')
    limitStatements(1000)
    await whilePaused(async () => {
      const { status, body, headers } = await me.post('/v1/projects', { name: 'atlas', description: '' })
      expect(status).toBe(503)
      expect(headers.get('retry-after')).toBe('2')
      expect(body).toMatchObject({
        error_code: 'ServiceNotAvailable',
        help: 'The database did not respond. Check whether the change was made before you try again.',
      })
    })
    await expect.poll(async () => (await me.get('/v1/projects')).status, { timeout: 20_000 }).toBe(200)
    expect((await me.post('/v1/projects', { name: 'borealis', description: '' })).status).toBe(201)
    // The failed requests are logged as expected.
    bed.logged.length = 0
    await bed.stop()
  })

  test('lets the database be closed', async () => {
    const { close } = await opened()
    await whilePaused(() => expect(close()).resolves.toBeUndefined())
  })
})

describe.skipIf('missing' in postgres)('a statement over its time limit', () => {
  test('is ended alone by the server, and one without a limit is not', async () => {
    if ('missing' in postgres) return
    const { dialect, close, limitStatements } = await openDatabase({ url: await postgres.newDatabase() })
    const db = new Kysely<unknown>({ dialect })
    const slow = sql`SELECT pg_sleep(0.4)`
    await slow.execute(db)
    limitStatements(100)
    await expect(slow.execute(db)).rejects.toMatchObject({
      constructor: DatabaseUnreachable,
      cause: { code: '57014' },
    })
    await expect(sql`SELECT 1 AS one`.execute(db)).resolves.toMatchObject({ rows: [{ one: 1 }] })
    limitStatements(0)
    await slow.execute(db)
    await close()
  })
})
