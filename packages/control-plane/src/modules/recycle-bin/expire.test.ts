import { recycleBinItems } from '@gantry/api/history/recycle-bin.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '../../db/retention.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { addRestoration } from '../../testing/restorations.ts'
import { testServices } from '../../testing/services.ts'
import { forgetDeletedRows } from '../../work/deleted-rows.ts'
import { recycleBinBound, recycleBinExpiry } from './expire.ts'

let bed: TestBed
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  member = await bed.signIn('member')
  await made(member, '/v1/projects', { name: 'kept', description: '' })
})
beforeEach(() => bed.db.deleteFrom('recycled').execute())
afterAll(() => bed.stop())

let ahead = 0
const services = () => testServices({ db: bed.db, clock: () => new Date(Date.now() + ahead) })
const held = async () => (await bed.db.selectFrom('recycled').select('id').execute()).length
async function deleted(name: string): Promise<string> {
  const id = await made(member, '/v1/floating-ips?project=kept', { name, description: '' })
  await member.call('DELETE', `/v1/floating-ips/${id}`)
  return id
}

test('what is over goes, and a clock that jumped ahead costs nothing', async () => {
  const id = await deleted('one')
  const { run } = recycleBinExpiry()
  ahead = 0
  await run(services())
  expect(await held()).toBe(1)
  // Far beyond its time, but by a clock that was right a moment ago.
  ahead = 365 * dayMs
  await run(services())
  await forgetDeletedRows(services())
  expect(await held()).toBe(1)
  expect(await bed.db.selectFrom('external_ip').select('id').where('id', '=', id).execute()).toHaveLength(1)
  // Another process has known no other clock.
  await recycleBinExpiry().run(services())
  expect(await held()).toBe(0)
  ahead = 0
})

test('what is being restored does not expire meanwhile', async () => {
  await deleted('waiting')
  const deletion_id = crypto.randomUUID()
  await bed.db
    .updateTable('recycled')
    .set({ deletion_id, time_expires: new Date(Date.now() - dayMs) })
    .execute()
  const { silo_id, id: silo_user_id } = (await member.get('/v1/me')).body
  const object = { id: crypto.randomUUID(), name: 'gone' }
  const id = await addRestoration(bed.db, { deletion_id, object, silo_id, silo_user_id })
  await recycleBinExpiry().run(services())
  expect(await held()).toBe(1)
  await bed.db.updateTable('restoration').set({ state: 'cancelled' }).where('id', '=', id).execute()
  await recycleBinExpiry().run(services())
  expect(await held()).toBe(0)
})

test('a bin holds a bounded number of items, and the oldest of them go', async () => {
  await deleted('oldest')
  await deleted('newest')
  const [like] = await bed.db.selectFrom('recycled').selectAll().orderBy('time_deleted').limit(1).execute()
  await sql`INSERT INTO recycled (id, kind, object_id, name, silo_id, project_id, time_deleted, time_expires, actor, kept)
    SELECT gen_random_uuid(), 'disk', gen_random_uuid(), 'filler', silo_id, project_id,
      time_deleted + n * interval '1 microsecond', time_expires, actor, kept
    FROM recycled, generate_series(1, ${recycleBinItems}) n WHERE id = ${like?.id}`.execute(bed.db)
  await recycleBinBound.run(services())
  expect(await held()).toBe(recycleBinItems)
  const names = await bed.db.selectFrom('recycled').select('name').distinct().execute()
  expect(names.map(({ name }) => name).sort()).toEqual(['filler', 'newest'])
})
