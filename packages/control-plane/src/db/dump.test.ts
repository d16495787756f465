import { PGlite } from '@electric-sql/pglite'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually, testControlPlane } from '../testing/control-plane.ts'
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

test('bytes must exist of finished disks, and not of one that is faulted, imports or waits for them', async () => {
  const bed = await testControlPlane()
  const me = await bed.signIn('member')
  for (const name of ['finished', 'faulted', 'imports', 'waits']) {
    const disk_source = { type: 'blank', block_size: 512 }
    const body = { name, description: '', size: 1024 ** 3, disk_source }
    expect((await me.post('/v1/disks?project=playground', body)).status).toBe(201)
  }
  const disks = () => bed.db.selectFrom('disk').select(['name', 'content_id', 'state']).execute()
  await eventually(disks, (rows) => rows.every(({ state }) => state === 'detached'))
  const set = (name: string, state: 'faulted' | 'import_ready') =>
    bed.db.updateTable('disk').set({ state }).where('name', '=', name).execute()
  await set('faulted', 'faulted')
  await set('imports', 'import_ready')
  const rows = await disks()
  const waiting = rows.find(({ name }) => name === 'waits')?.content_id
  const ofJob = sql<string>`args ->> 'content_id'`
  await eventually(
    () =>
      bed.db
        .selectFrom('job')
        .select('state')
        .where(ofJob, '=', waiting ?? '')
        .execute(),
    (jobs) => jobs.every(({ state }) => state === 'done'),
  )
  await bed.db
    .updateTable('job')
    .set({ state: 'pending', run_at: new Date(Date.now() + 3_600_000) })
    .where(ofJob, '=', waiting ?? '')
    .execute()

  // A later job made the bytes of this one.
  const made = rows.find(({ name }) => name === 'finished')?.content_id
  await bed.db
    .updateTable('job')
    .set({ state: 'failed' })
    .where(ofJob, '=', made ?? '')
    .execute()

  const images = await bed.db.selectFrom('image').select('content_id').execute()
  let finished: ReadonlySet<string> | undefined
  await dump(
    bed.db,
    async (facts) => void ({ finished } = facts),
    async () => {},
  )
  const expected = [...images, ...rows.filter(({ name }) => name === 'finished')]
  expect([...(finished ?? [])].sort()).toEqual(expected.map(({ content_id }) => content_id).sort())
  await bed.stop()
})
