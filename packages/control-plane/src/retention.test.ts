import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { retention } from './background.ts'
import type { Tables } from './db/tables.ts'
import { forgetDeletedRows, markedTables } from './work/deleted-rows.ts'
import { forgetOldJobs } from './work/jobs.ts'
import { forgetOldChanges } from './stream/publisher.ts'
import { dayMs, rowsAtOnce } from './db/retention.ts'
import { alertRetention } from './modules/alerts/watch.ts'
import { actionRetention } from './modules/bulk/retention.ts'
import { signInRetention } from './modules/sign-in/sessions/retention.ts'
import { keepEpisodes } from './modules/system/episodes.ts'
import { defaultSettings } from './settings.ts'
import { addOldRows } from './testing/old-rows.ts'
import { testControlPlane, type TestBed } from './testing/control-plane.ts'
import { type Counted, countedStatements } from './testing/counted-statements.ts'
import { genericPlan } from './testing/generic-plan.ts'
import { migratedDatabase } from './testing/migrated-database.ts'
import { withoutBin } from './testing/environment.ts'
import { testServices } from './testing/services.ts'

let counted: Counted
let bed: TestBed
let db: Kysely<Tables>
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({
    dialect: counted.dialect,
    idle: true,
    environment: { settings: withoutBin },
  })
  db = bed.db
})
afterAll(() => bed.stop())

/** Services whose clock is ahead. */
const after = (days: number) =>
  testServices({ db, settings: defaultSettings, clock: () => new Date(Date.now() + days * dayMs) })
const count = async (table: keyof Tables): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(db)
  return rows[0]?.n ?? 0
}

test('every table that marks deleted rows has an index on when', async () => {
  const { rows } = await sql<{ table: string }>`SELECT tablename AS table FROM pg_indexes
    WHERE indexdef LIKE '%(time_deleted) WHERE (time_deleted IS NOT NULL)'`.execute(db)
  const indexed = new Set<string>(rows.map(({ table }) => table))
  expect(markedTables.filter((table) => !indexed.has(table))).toEqual([])
})

test('no deletion of old rows scans a table', async () => {
  const later = after(400)
  await addOldRows(db, 3)
  const statements = await counted.during(async () => {
    await keepEpisodes(later)
    for (const { run } of [retention, signInRetention, alertRetention, actionRetention]) await run(later)
  })
  const deletions = [...new Set(statements.filter((text) => /^\s*DELETE/i.test(text)))]
  expect(deletions.length).toBeGreaterThan(markedTables.length + 15)
  for (const text of deletions) expect(await genericPlan(db, text), text).not.toContain('Seq Scan')
})

test('more old rows than one statement deletes are all deleted, and young ones stay', async () => {
  await addOldRows(db, 2 * rowsAtOnce + 1)
  await addOldRows(db, 5, '1 hour')
  expect(await count('job')).toBe(2 * rowsAtOnce + 6)
  await forgetOldJobs(after(0))
  expect(await count('job')).toBe(5)
  // A change that was written while the clock was ahead keeps no later one.
  await sql`UPDATE change SET time = now() + interval '10 years'
    WHERE seq = (SELECT min(seq) + 3 FROM change WHERE operation = 'old')`.execute(db)
  await forgetOldChanges(after(0))
  expect(await db.selectFrom('change').select('id').where('operation', '=', 'old').execute()).toHaveLength(5)
})

test('rows of deleted objects go after their time, and those that records name with the records', async () => {
  const me = await bed.signIn('member')
  const { id: project } = (await me.post('/v1/projects', { name: 'short', description: '' })).body
  const disk = {
    name: 'data',
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'blank', block_size: 512 },
  }
  for (const name of ['short', 'playground'])
    expect((await me.post(`/v1/disks?project=${name}`, disk)).status).toBe(201)
  for (const path of ['/v1/disks/data?project=short', '/v1/vpcs/default?project=short'])
    await me.call('DELETE', path)
  const left = async () => ({
    disks: await count('disk'),
    project: (await db.selectFrom('project').select('id').where('id', '=', project).execute()).length,
  })
  await db.updateTable('project').set({ time_deleted: new Date() }).where('id', '=', project).execute()
  await forgetDeletedRows(after(89))
  expect(await left()).toEqual({ disks: 2, project: 1 })
  await forgetDeletedRows(after(91))
  expect(await left()).toEqual({ disks: 1, project: 1 })
  await forgetDeletedRows(after(366))
  expect(await left()).toEqual({ disks: 1, project: 0 })
})
