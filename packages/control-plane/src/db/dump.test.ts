import { PGlite } from '@electric-sql/pglite'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { testControlPlane } from '../testing/control-plane.ts'
import { dump, type RowBatch } from './dump.ts'
import { inProcessPglite } from './in-process-pglite.ts'
import { load } from './load.ts'
import type { Tables } from './tables.ts'

test('attempts, sessions and cookie keys are excluded from a backup, and from restoring an older one', async () => {
  const bed = await testControlPlane({ seed: 'recovery' })
  await bed.signIn('recovery')
  await bed.anonymous.post('/v1/login/recovery/local', { username: 'recovery', password: 'wrong' })
  await bed.anonymous.call('POST', '/device/auth', `client_id=${crypto.randomUUID()}`, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  const kept = ['attempt', 'signing_key', 'console_session', 'device_auth_request'] as const
  const rowsOf = (db: Kysely<Tables>, table: (typeof kept)[number]) =>
    db
      .selectFrom(table as 'attempt')
      .selectAll()
      .execute()
  for (const table of kept) expect(await rowsOf(bed.db, table), table).not.toEqual([])

  const batches: RowBatch[] = []
  let migrations: string[] = []
  await dump(
    bed.db,
    async (facts) => void ({ migrations } = facts),
    async (batch) => void batches.push(batch),
  )
  const tables = new Set(batches.map(({ table }) => table))
  expect(tables).toContain('silo_user')
  for (const table of kept) expect(tables).not.toContain(table)

  const older = {
    table: 'attempt',
    columns: ['key', 'full_at'],
    rows: [['password of x', '9999-01-01 00:00:00+00']],
  }
  const db = new Kysely<Tables>({ dialect: inProcessPglite(await PGlite.create()) })
  const read = async function* () {
    yield* [older, ...batches]
  }
  await load(db, { id: 'restored', migrations }, read(), async () => undefined)
  expect(await rowsOf(db, 'attempt')).toEqual([])
  expect(await db.selectFrom('silo_user').select('id').execute()).not.toEqual([])
  await db.destroy()
  await bed.stop()
})
