import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { NewerDatabase } from './migrate.ts'

let bed: TestBed
beforeAll(async () => void (bed = await testControlPlane()))
afterAll(() => bed.stop())

test('a database that a newer version has changed is refused as such, and left as it is', async () => {
  const ids = sql<{ id: string }>`SELECT id FROM schema_migration ORDER BY id`
  await bed.plane.migrate()
  await sql`INSERT INTO schema_migration (id, time) VALUES ('9999-later', now())`.execute(bed.db)
  const before = await ids.execute(bed.db)
  await expect(bed.plane.migrate()).rejects.toBeInstanceOf(NewerDatabase)
  await expect(bed.plane.migrate()).rejects.toThrow('by a newer version (9999-later)')
  expect((await ids.execute(bed.db)).rows).toEqual(before.rows)
})
