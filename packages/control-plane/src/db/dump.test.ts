import { PGlite } from '@electric-sql/pglite'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually, testControlPlane } from '../testing/control-plane.ts'
import { dump, type DumpFacts, type RowBatch } from './dump.ts'
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
  const { finished } = await factsOf(bed.db)
  const expected = [...images, ...rows.filter(({ name }) => name === 'finished')]
  expect([...finished].sort()).toEqual(expected.map(({ content_id }) => content_id).sort())
  await bed.stop()
})

test('the bytes of what is in the recycle bin are kept', async () => {
  const bed = await testControlPlane()
  const me = await bed.signIn('member')
  const at = 'project=playground'
  const disk_source = { type: 'blank', block_size: 512 }
  const disk = { name: 'binned', description: '', size: 1024 ** 3, disk_source }
  const instance = {
    name: 'kept',
    description: '',
    ncpus: 1,
    memory: 1024 ** 3,
    hostname: 'kept',
    start: false,
  }
  const boot_disk = { type: 'create', ...disk, name: 'kept-boot' }
  await me.post(`/v1/disks?${at}`, disk)
  await me.post(`/v1/instances?${at}`, { ...instance, boot_disk })
  const state = async (path: string) => (await me.get(`${path}?${at}`)).body.state
  await eventually(
    () => state('/v1/disks/binned'),
    ({ state }) => state === 'detached',
  )
  await me.post(`/ext/v1/instance-snapshots?${at}`, { name: 'whole', description: '', instance: 'kept' })
  await eventually(
    () => state('/ext/v1/instance-snapshots/whole'),
    (now) => now === 'ready',
  )
  const contents = async (table: 'disk' | 'snapshot', name: string) =>
    (await bed.db.selectFrom(table).select(['content_id']).where('name', 'like', name).execute()).map(
      ({ content_id }) => content_id,
    )
  const kept = [...(await contents('disk', 'binned')), ...(await contents('snapshot', '%'))]
  expect(kept.length).toBe(2)
  // What firmware and security chip of an instance keep.
  const [variables_id, tpm_id] = [crypto.randomUUID(), crypto.randomUUID()]
  await bed.db
    .insertInto('instance_firmware')
    .values({ instance_id: crypto.randomUUID(), variables_id, tpm_id })
    .execute()
  kept.push(variables_id, tpm_id)
  expect((await me.call('DELETE', `/v1/disks/binned?${at}`)).status).toBe(204)
  expect((await me.call('DELETE', `/ext/v1/instance-snapshots/whole?${at}`)).status).toBe(204)
  expect([...(await factsOf(bed.db)).contents]).toEqual(expect.arrayContaining(kept))
  await bed.stop()
})

async function factsOf(db: Kysely<Tables>): Promise<DumpFacts> {
  let found: DumpFacts | undefined
  await dump(
    db,
    async (facts) => void (found = facts),
    async () => undefined,
  )
  if (!found) throw new Error('the dump never began')
  return found
}
