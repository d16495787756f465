import type { AllowedSourceIps } from '@gantry/api/rack-network/network-access'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tables } from '../db/tables.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { AllowListGuard } from './allow-list.ts'

let db: Kysely<Tables>
let guard: AllowListGuard
beforeAll(async () => {
  db = new Kysely<Tables>({ dialect: await migratedDatabase() })
})
afterAll(() => db.destroy())

/** As another process writes it. */
async function write(allowed: AllowedSourceIps): Promise<void> {
  const value = JSON.stringify(allowed)
  const now = new Date()
  await db
    .insertInto('network_access')
    .values({ name: 'allow-list', generation: 1, time_created: now, time_modified: now, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
beforeEach(async () => {
  guard = new AllowListGuard(db)
  await write({ allow: 'list', ips: ['192.0.2.0/24', '198.51.100.0/24'] })
  await guard.refresh()
})

test('a list is parsed again only if it has changed', async () => {
  const first = await guard.refresh()
  expect(await guard.refresh()).toBe(first)
  await write({ allow: 'any' })
  expect(await guard.refresh()).not.toBe(first)
  await expect(guard.check('203.0.113.9')).resolves.toBeUndefined()
})

test('a connection ends with the list that leaves out its address', async () => {
  const ended: string[] = []
  const watch = (address: string) => guard.watch({ address, end: () => ended.push(address) })
  for (const address of ['192.0.2.9', '198.51.100.9', '127.0.0.1']) watch(address)
  watch('198.51.100.10')()
  await guard.refresh()
  expect(ended).toEqual([])
  await write({ allow: 'list', ips: ['192.0.2.0/24'] })
  await guard.refresh()
  expect(ended).toEqual(['198.51.100.9'])
  // One whose request was checked before the change.
  watch('198.51.100.11')
  expect(ended).toEqual(['198.51.100.9', '198.51.100.11'])
})
