import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { change } from './change.ts'
import { type Services, systemCx } from './cx.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery' })
})
afterAll(() => bed.stop())

test('a change of more records than one statement takes writes them all, in their order', async () => {
  const wake = { changes: () => undefined, fleet: () => undefined }
  const services = {
    db: bed.db,
    wake,
    clock: () => new Date(),
    random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  } as unknown as Services
  const objects = Array.from({ length: 4500 }, () => crypto.randomUUID())
  await change(systemCx(services, 'test'), { silo_id: null, project_id: null }, async (tx) => {
    for (const id of objects) tx.note('thing', id, undefined, undefined)
  })
  const told = bed.db.selectFrom('change').select('object_id').where('kind', '=', 'thing').orderBy('position')
  expect((await told.execute()).map((row) => row.object_id)).toEqual(objects)
})
