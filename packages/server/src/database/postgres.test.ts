import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { openDatabase } from './open.ts'

const postgres = await temporaryPostgres()
afterAll(() => ('missing' in postgres ? undefined : postgres.stop()))
const crash = 'missing' in postgres ? undefined : postgres.crash
if (!crash) console.warn('skipped: a PostgreSQL server that ends, for want of one that may be ended')

describe.skipIf(!crash)('a PostgreSQL server that ends', () => {
  test('is told of as such, wherever a transaction was, and found again once it is back', async () => {
    if ('missing' in postgres || !crash) return
    const { dialect, close } = await openDatabase({ url: await postgres.newDatabase() })
    const db = new Kysely<unknown>({ dialect })
    const ask = sql`SELECT 1`
    await ask.execute(db)
    const waiting = sql`SELECT pg_sleep(60)`.execute(db).catch((error: unknown) => error)
    // Between two statements nobody waits for an answer that could bring the news.
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

  test('loses its locks, and its connection is one that is out of reach', async () => {
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

  test('is told of its end as such by a statement that crosses with the news', async () => {
    const { db, close } = await opened(100)
    const left = await db.startTransaction().execute()
    await lock.execute(left)
    // Nothing is read meanwhile, as in a process that has too much to do.
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

  test('stays where nothing was said, whatever the server takes by itself', async () => {
    const { db, close } = await opened()
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db)
    const name = sql.id(rows[0]?.name ?? '')
    await sql`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = 100`.execute(db)
    const long = await db.startTransaction().execute()
    const other = await db.startTransaction().execute()
    const said = sql<{ idle: string; count: string }>`
      SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('tcp_keepalives_count') AS count`
    // The second connection was made after the server's own setting.
    for (const one of [long, other])
      await expect(said.execute(one)).resolves.toMatchObject({ rows: [{ idle: '0', count: '3' }] })
    for (const one of [long, other]) await one.rollback().execute()
    await close()
  })
})
