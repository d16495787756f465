import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { plannedEachTime } from '@gantry/control-plane/db/planned-each-time.js'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareDataDir } from '../testing/prepared-data-dir.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { openDatabase, type OpenDatabase } from './open.ts'

interface Tables {
  item: { id: number; name: string; parent?: number | null }
}

const postgres = await temporaryPostgres()
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
if ('missing' in postgres) process.stderr.write(`PostgreSQL tests are skipped: ${postgres.missing}\n`)

afterAll(async () => {
  if (!('missing' in postgres)) await postgres.stop()
  await fs.rm(folder, { recursive: true, force: true })
})

// Both drivers behave alike, so both run the same tests.
describe('pglite', () => {
  conformance(async () => {
    await prepareDataDir(folder)
    return openDatabase({ dataDir: folder })
  })
})
describe.skipIf('missing' in postgres)('postgres', () => {
  conformance(async () => {
    if ('missing' in postgres) throw new Error(postgres.missing)
    return openDatabase({ url: await postgres.newDatabase() })
  })
})

function conformance(open: () => Promise<OpenDatabase>): void {
  let database: OpenDatabase
  let db: Kysely<Tables>

  beforeAll(async () => {
    database = await open()
    db = new Kysely<Tables>({ dialect: database.dialect })
    await sql`create table item (id int8 primary key, name text not null,
      parent int8 constraint item_parent_fkey references item (id))`.execute(db)
    await sql`create unique index item_name_key on item (name)`.execute(db)
  })
  beforeEach(async () => void (await db.deleteFrom('item').execute()))
  afterAll(() => database.close())

  test.each([
    ['int8', 42, 42],
    ['int8', '9007199254740993', 9_007_199_254_740_993n],
    ['int4', -7, -7],
    ['float8', 0.25, 0.25],
    ['numeric', '12.340', '12.340'],
    ['text', 'ünïcode \u{1f680}', 'ünïcode \u{1f680}'],
    ['text', null, null],
    ['boolean', false, false],
    ['bytea', new Uint8Array([0, 1, 254, 255]), new Uint8Array([0, 1, 254, 255])],
    ['bytea', Buffer.from('abc'), new Uint8Array([97, 98, 99])],
    ['jsonb', JSON.stringify({ a: [1, null, 'x'] }), { a: [1, null, 'x'] }],
    ['jsonb', { deep: { list: [] } }, { deep: { list: [] } }],
    ['jsonb', 'null', null],
    ['timestamptz', new Date('2024-02-29T23:59:59.123Z'), new Date('2024-02-29T23:59:59.123Z')],
    ['timestamptz', '2024-06-01T12:00:00+02:00', new Date('2024-06-01T10:00:00Z')],
    ['timestamp', '2024-06-01 12:00:00', new Date('2024-06-01T12:00:00Z')],
    ['date', '2024-02-29', '2024-02-29'],
    ['uuid', 'b7c0a1de-0000-4000-8000-0123456789ab', 'b7c0a1de-0000-4000-8000-0123456789ab'],
    ['text[]', ['a', 'b,c', 'quo"te', ''], ['a', 'b,c', 'quo"te', '']],
    ['int8[]', [1, 2], [1, 2]],
    ['timestamptz[]', ['2024-01-01T00:00:00Z'], [new Date('2024-01-01T00:00:00Z')]],
  ])('%s round trip of %o', async (type, value, expected) => {
    const { rows } = await sql<{ value: unknown }>`select ${value}::${sql.raw(type)} as value`.execute(db)
    expect(rows).toEqual([{ value: expected }])
  })

  test('an error keeps the fields that callers branch on', async () => {
    await db.insertInto('item').values({ id: 1, name: 'one' }).execute()
    await expect(db.insertInto('item').values({ id: 2, name: 'one' }).execute()).rejects.toMatchObject({
      code: '23505',
      constraint: 'item_name_key',
      table: 'item',
      detail: 'Key (name)=(one) already exists.',
      message: 'duplicate key value violates unique constraint "item_name_key"',
    })
    await expect(
      db.insertInto('item').values({ id: 3, name: 'x', parent: 99 }).execute(),
    ).rejects.toMatchObject({
      code: '23503',
      constraint: 'item_parent_fkey',
    })
    await expect(sql`select nonsense`.execute(db)).rejects.toMatchObject({ code: '42703' })
    await expect(sql`selec`.execute(db)).rejects.toMatchObject({ code: '42601' })
  })

  test('counts of affected rows', async () => {
    const items = [1, 2, 3].map((id) => ({ id, name: `n${id}` }))
    await expect(db.insertInto('item').values(items).execute()).resolves.toMatchObject([
      { numInsertedOrUpdatedRows: 3n },
    ])
    const changed = await db.updateTable('item').set({ name: 'same' }).where('id', '=', 2).executeTakeFirst()
    expect(changed.numUpdatedRows).toBe(1n)
    const gone = await db.deleteFrom('item').where('id', '<', 3).executeTakeFirst()
    expect(gone.numDeletedRows).toBe(2n)
  })

  test('500 concurrent transactions, 50 of them rolled back', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, id) =>
        db.transaction().execute(async (tx) => {
          await tx
            .insertInto('item')
            .values({ id, name: `item ${id}` })
            .execute()
          await tx
            .updateTable('item')
            .set({ name: `kept ${id}` })
            .where('id', '=', id)
            .execute()
          if (id % 10 === 3) throw new Error('changed my mind')
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(50)
    const rows = await db.selectFrom('item').selectAll().execute()
    expect(rows).toHaveLength(450)
    expect(rows.every(({ id, name }) => name === `kept ${id}` && id % 10 !== 3)).toBe(true)
  })

  test('an error inside a transaction rolls it back and leaves the connection usable', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await tx.insertInto('item').values({ id: 1, name: 'lost' }).execute()
      await tx.insertInto('item').values({ id: 1, name: 'again' }).execute()
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    await expect(db.selectFrom('item').selectAll().execute()).resolves.toEqual([])
  })

  test('a commit after a swallowed error fails, because nothing was committed', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await tx.insertInto('item').values({ id: 1, name: 'lost' }).execute()
      await sql`select 1 / 0`.execute(tx).catch(() => {})
    })
    await expect(failing).rejects.toMatchObject({ code: '25P02' })
    await expect(db.selectFrom('item').selectAll().execute()).resolves.toEqual([])
  })

  test('savepoints', async () => {
    const tx = await db.startTransaction().execute()
    await tx.insertInto('item').values({ id: 1, name: 'kept' }).execute()
    const inner = await tx.savepoint('inner').execute()
    await inner.insertInto('item').values({ id: 2, name: 'undone' }).execute()
    await inner.rollbackToSavepoint('inner').execute()
    await tx.commit().execute()
    await expect(db.selectFrom('item').select('id').execute()).resolves.toEqual([{ id: 1 }])
  })

  test('a statement works again after its table has changed', async () => {
    const read = () => db.selectFrom('item').selectAll().where('id', '=', 1).execute()
    await read()
    await sql`alter table item add column note text`.execute(db)
    // A prepared plan may fail once; its connection is then replaced.
    await read().catch(() => {})
    await expect(read()).resolves.toEqual([])
    await sql`alter table item drop column note`.execute(db)
    await read().catch(() => {})
  })

  test('a statement that is planned each time is not kept by a name', async () => {
    await db.connection().execute(async (one) => {
      const found = (mark: string, name: string) =>
        sql`select id from item where ${sql.raw(mark)} name like ${name}`.execute(one)
      await one.insertInto('item').values({ id: 1, name: 'disk' }).execute()
      for (const name of ['di%', '%x%', '%sk'])
        expect((await found(plannedEachTime, name)).rows).toHaveLength(name === '%x%' ? 0 : 1)
      await found('true and', 'di%')
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
        where statement like 'select id from item where %'`.execute(one)
      expect(rows.map(({ statement }) => statement)).toEqual([
        'select id from item where true and name like $1',
      ])
    })
  })

  test('closing waits for the running transaction, and closing twice is harmless', async () => {
    const events: string[] = []
    const work = db.transaction().execute(async (tx) => {
      for (let id = 0; id < 20; id += 1)
        await tx
          .insertInto('item')
          .values({ id, name: `${id}` })
          .execute()
      events.push('committed')
    })
    await Promise.all([work, database.close().then(() => events.push('closed'))])
    await database.close()
    expect(events).toEqual(['committed', 'closed'])
    database = await open()
    db = new Kysely<Tables>({ dialect: database.dialect })
    await sql`create table if not exists item (id int8)`.execute(db)
  })
}
