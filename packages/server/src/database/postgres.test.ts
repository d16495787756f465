import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { openDatabase } from './open.ts'

const postgres = await temporaryPostgres()
const crash = 'missing' in postgres ? undefined : postgres.crash
if (!crash) console.warn('skipped: a PostgreSQL server that ends, for want of one that may be ended')

describe.skipIf(!crash)('a PostgreSQL server that ends', () => {
  afterAll(() => ('missing' in postgres ? undefined : postgres.stop()))

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
