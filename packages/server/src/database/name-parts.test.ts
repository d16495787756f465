import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { inProcessPglite } from '@gantry/control-plane/db/in-process-pglite'
import { migrate } from '@gantry/control-plane/db/migrate'
import { indexNameParts } from '@gantry/control-plane/db/name-parts'
import type { Tables } from '@gantry/control-plane/db/tables'
import { searchedTables } from '@gantry/control-plane/lookup/kinds'
import { Kysely, sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { prepareDataDir } from '../testing/prepared-data-dir.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'
import { openDatabase } from './open.ts'

const postgres = await temporaryPostgres()
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
if ('missing' in postgres) process.stderr.write(`PostgreSQL tests are skipped: ${postgres.missing}\n`)
afterAll(async () => {
  if (!('missing' in postgres)) await postgres.stop()
  await fs.rm(folder, { recursive: true, force: true })
})

const newDatabase = async (): Promise<string> => {
  if ('missing' in postgres) throw new Error(postgres.missing)
  return postgres.newDatabase()
}
const project = '00000000-0000-4000-8000-000000000000'
const named = sql<{ name: string }>`SELECT t.name FROM instance t
  WHERE t.time_deleted IS NULL AND t.project_id = ${project} AND t.name LIKE ${'%4321%'}
  ORDER BY t.name, t.id LIMIT 50`

/** Twenty thousand names, one of which contains the substring. */
async function fill(db: Kysely<Tables>): Promise<void> {
  await sql`INSERT INTO instance (id, time_created, time_modified, name, description, project_id, ncpus, memory,
      hostname, user_data, run_state, time_run_state_updated, intended_state)
    SELECT gen_random_uuid(), now(), now(), 'web-' || lpad(n::text, 5, '0'), '', ${project}::uuid, 1, 1, '', '',
      'stopped', now(), 'stopped' FROM generate_series(0, 19999) n`.execute(db)
  await sql`ANALYZE instance`.execute(db)
}
async function planOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`EXPLAIN ${named}`.execute(db)
  return rows.flatMap((row) => Object.values(row)).join('\n')
}

describe('substrings of names are found by an index', () => {
  const both: [string, () => Promise<Parameters<typeof openDatabase>[0]>][] = [
    ['embedded', async () => (await prepareDataDir(folder), { dataDir: folder })],
    ['PostgreSQL', async () => ({ url: await newDatabase() })],
  ]
  test.skipIf('missing' in postgres).each(both)('%s', async (_name, place) => {
    const at = await place()
    const opened = await openDatabase(at)
    const db = new Kysely<Tables>({ dialect: opened.dialect })
    await migrate(db)
    expect(await indexNameParts(db, searchedTables)).toBe('indexed')
    await fill(db)
    expect(await planOf(db)).toContain('instance_name_parts')
    expect((await named.execute(db)).rows).toEqual([{ name: 'web-04321' }, { name: 'web-14321' }])
    await opened.close()

    const again = await openDatabase(at)
    const later = new Kysely<Tables>({ dialect: again.dialect })
    expect(await indexNameParts(later, searchedTables)).toBe('indexed')
    await sql`UPDATE instance SET name = 'db-4321' WHERE name = 'web-04321'`.execute(later)
    expect((await named.execute(later)).rows).toEqual([{ name: 'db-4321' }, { name: 'web-14321' }])
    await again.close()
  })
})

test('search also works without trigrams', async () => {
  const db = new Kysely<Tables>({ dialect: inProcessPglite(await PGlite.create()) })
  await migrate(db)
  expect(await indexNameParts(db, searchedTables)).toBe('unavailable')
  await fill(db)
  expect((await named.execute(db)).rows).toHaveLength(2)
  await db.destroy()
})

test.skipIf('missing' in postgres)(
  'a role that may not create the extension works without the index',
  async () => {
    const url = new URL(await newDatabase())
    const owner = await openDatabase({ url: url.href })
    const admin = new Kysely<Tables>({ dialect: owner.dialect })
    await sql`CREATE ROLE humble LOGIN PASSWORD 'humble'`.execute(admin)
    await sql`GRANT ALL ON SCHEMA public TO humble`.execute(admin)
    url.username = 'humble'
    url.password = 'humble'
    const opened = await openDatabase({ url: url.href })
    const db = new Kysely<Tables>({ dialect: opened.dialect })
    await migrate(db)
    expect(await indexNameParts(db, searchedTables)).toBe('unavailable')
    // Once the extension exists, the next start creates the index.
    await sql`CREATE EXTENSION pg_trgm`.execute(admin)
    expect(await indexNameParts(db, searchedTables)).toBe('indexed')
    await opened.close()
    await owner.close()
  },
)

test.skipIf('missing' in postgres)('several processes may create the index concurrently', async () => {
  const url = await newDatabase()
  const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url })))
  const all = opened.map(({ dialect }) => new Kysely<Tables>({ dialect }))
  await Promise.all(all.map((db) => migrate(db)))
  await Promise.all(all.map((db) => indexNameParts(db, searchedTables)))
  for (const db of all) expect(await indexNameParts(db, searchedTables)).toBe('indexed')
  await Promise.all(opened.map(({ close }) => close()))
})
