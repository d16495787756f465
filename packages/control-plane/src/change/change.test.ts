import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { type Change, change, changeBefore, fleetScope } from './change.ts'
import { systemCx } from '../context/cx.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery' })
})
afterAll(() => bed.stop())

test('a change with more records than one statement can hold writes all of them in order', async () => {
  const services = testServices({ db: bed.db })
  const objects = Array.from({ length: 4500 }, () => crypto.randomUUID())
  await change(systemCx(services, 'test'), fleetScope, async (tx) => {
    for (const id of objects) tx.note('thing', id, undefined, undefined)
  })
  const recorded = bed.db
    .selectFrom('change')
    .select('object_id')
    .where('kind', '=', 'thing')
    .orderBy('position')
  expect((await recorded.execute()).map((row) => row.object_id)).toEqual(objects)
})

test('a guard that throws keeps every change of a request from being written', async () => {
  const cx = systemCx(testServices({ db: bed.db }), 'test')
  cx.guard = async () => {
    throw new Error('not meant any more')
  }
  const write = (tx: Pick<Change, 'note'>): Promise<void> =>
    Promise.resolve(tx.note('guarded', crypto.randomUUID(), undefined, undefined))
  await expect(changeBefore(cx, fleetScope, write)).rejects.toThrow('not meant any more')
  await expect(change(cx, fleetScope, write)).rejects.toThrow('not meant any more')
  const written = bed.db.selectFrom('change').select('id').where('kind', '=', 'guarded')
  expect(await written.execute()).toEqual([])
})
