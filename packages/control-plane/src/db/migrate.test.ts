import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { PGlite } from '@electric-sql/pglite'
import { inProcessPglite } from './in-process-pglite.ts'
import {
  createMigrationTable,
  insertMigrationLock,
  knownMigrations,
  migrate,
  migrateIn,
  NewerDatabase,
} from './migrate.ts'
import { failureDetails } from './migrations/0029-failure-details.ts'
import type { Tables } from './tables.ts'

let bed: TestBed
beforeAll(async () => void (bed = await testControlPlane()))
afterAll(() => bed.stop())

test('a database migrated by a newer version is refused and left unchanged', async () => {
  const ids = sql<{ id: string }>`SELECT id FROM schema_migration ORDER BY id`
  await bed.plane.migrate()
  await sql`INSERT INTO schema_migration (id, time) VALUES ('9999-later', now())`.execute(bed.db)
  const before = await ids.execute(bed.db)
  await expect(bed.plane.migrate()).rejects.toBeInstanceOf(NewerDatabase)
  await expect(bed.plane.migrate()).rejects.toThrow('by a newer version (9999-later)')
  expect((await ids.execute(bed.db)).rows).toEqual(before.rows)
})

test('tokens without an expiry get one thirty days after the migration, and others keep theirs', async () => {
  const db = new Kysely<Tables>({ dialect: inProcessPglite(await PGlite.create()) })
  await createMigrationTable.execute(db)
  await insertMigrationLock.execute(db)
  await migrateIn(
    db,
    [],
    knownMigrations.filter((id) => id < '0007'),
  )
  const insert = (id: number, end: string | null) =>
    sql`INSERT INTO device_access_token
      (id, token_hash, device_code_hash, client_id, silo_user_id, time_created, time_expires)
      VALUES (${`00000000-0000-4000-8000-00000000000${id}`}, ${`t${id}`}, ${`d${id}`}, gen_random_uuid(),
        gen_random_uuid(), '2020-01-01', ${end})`.execute(db)
  await insert(1, null)
  await insert(2, '2020-02-01T00:00:00Z')
  const before = Date.now()
  await migrate(db)
  const [endless, ended] = await db
    .selectFrom('device_access_token')
    .select(['time_expires', 'time_fetched', 'token_hash'])
    .orderBy('id')
    .execute()
  const days = ((endless?.time_expires.getTime() ?? 0) - before) / 86_400_000
  expect(Math.round(days)).toBe(30)
  expect(endless).toMatchObject({ token_hash: 't1', time_fetched: new Date('2020-01-01T00:00:00Z') })
  expect(ended?.time_expires).toEqual(new Date('2020-02-01T00:00:00Z'))
  await db.destroy()
})

test('failures that named sleds keep everything else', async () => {
  const me = await bed.signIn('member')
  const body = { name: 'old', description: '', ncpus: 1, memory: 1024 ** 3, hostname: 'old', start: false }
  const { id } = (await me.post('/v1/instances?project=playground', body)).body
  const failure = {
    code: 'InsufficientCapacity',
    message: 'Insufficient capacity: Failed to place instance',
    next_step: 'Try a smaller size.',
    details: { sleds: [{ sled: 'GS-001', reason: '2 of 64 vCPUs free' }], exit_code: 1 },
    time: '2026-11-01T00:00:00.000Z',
  }
  await bed.db
    .updateTable('instance')
    .set({ run_state: 'failed', intended_state: 'stopped', failure: JSON.stringify(failure) })
    .where('id', '=', id)
    .execute()
  for (const statement of failureDetails.statements) await sql.raw(statement).execute(bed.db)
  const kept = (await me.get('/v1/instances/old?project=playground')).body.failure
  expect(kept).toEqual({ ...failure, details: { exit_code: 1 } })
})
