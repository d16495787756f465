import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { change } from './change.ts'
import { systemCx } from './cx.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery' })
})
afterAll(() => bed.stop())

test('a change with more records than one statement can hold writes all of them in order', async () => {
  const services = testServices({ db: bed.db })
  const objects = Array.from({ length: 4500 }, () => crypto.randomUUID())
  await change(systemCx(services, 'test'), { silo_id: null, project_id: null }, async (tx) => {
    for (const id of objects) tx.note('thing', id, undefined, undefined)
  })
  const recorded = bed.db
    .selectFrom('change')
    .select('object_id')
    .where('kind', '=', 'thing')
    .orderBy('position')
  expect((await recorded.execute()).map((row) => row.object_id)).toEqual(objects)
})
