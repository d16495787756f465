import { type Kysely, sql } from 'kysely'
import { appliedMigrations } from './migrate.ts'
import { columnsOf, primaryKeyOf, tablesIn, textsAlike } from './catalogue.ts'
import type { Tables } from './tables.ts'

/** Rows of one table as texts, which every PostgreSQL parses back to the same values. */
export interface RowBatch {
  table: string
  columns: string[]
  rows: (string | null)[][]
}

export interface DumpFacts {
  migrations: string[]
  /** The block store objects that the rows refer to. */
  contents: Set<string>
  /** Those of them whose bytes must exist. */
  finished: Set<string>
}

/**
 * Sessions must not survive into a copy, where a user may since have signed out. Attempts depend on this
 * server's clock. A restored database belongs to the fleet that starts on it. Names tried at sign-in are kept only briefly, and a backup would outlast that. The
 * known-device key would let anyone with the backup forge such devices.
 */
export const leftOut: ReadonlySet<string> = new Set([
  'schema_migration',
  'console_session',
  'device_auth_request',
  'attempt',
  'fleet_identity',
  'failed_sign_in',
  'signing_key',
  'passkey_challenge',
  'pending_sign_in',
  'saml_sign_in_test',
  'totp_set_up',
])

/** Approximate size at which a batch ends. */
const BATCH_CHARACTERS = 512 * 1024
const FETCHED_ROWS = 200
/** A text can grow sixfold when escaped in JSON, and an embedded database limits the size of a result. */
const FETCHED_CHARACTERS = 8 * 1024 * 1024

/**
 * Reads the whole database as of one point in time, despite concurrent writes. `begin` is called once that
 * point is fixed and before the first row is read.
 */
export async function dump(
  db: Kysely<Tables>,
  begin: (facts: DumpFacts) => Promise<void>,
  write: (batch: RowBatch) => Promise<void>,
): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for (const setting of textsAlike) await setting.execute(tx)
      const migrations = await appliedMigrations(tx)
      const finished = migrations.length > 0 ? await finishedIn(tx) : new Set<string>()
      await begin({ migrations, contents: await contentsIn(tx), finished })
      for (const table of await tablesIn(tx)) if (!leftOut.has(table)) await dumpTable(tx, table, write)
    })
}

async function dumpTable(
  tx: Kysely<Tables>,
  table: string,
  write: (batch: RowBatch) => Promise<void>,
): Promise<void> {
  const columns = (await columnsOf(tx, table)).map(({ name }) => name)
  const texts = sql.join(columns.map((name) => sql`${sql.ref(name)}::text`))
  const key = await primaryKeyOf(tx, table)
  const order = key.length === 0 ? sql`` : sql`ORDER BY ${sql.join(key.map((name) => sql.ref(name)))}`
  await sql`DECLARE dumped NO SCROLL CURSOR FOR
    SELECT json_build_array(${texts})::text AS row FROM ${sql.table(table)} ${order}`.execute(tx)
  const count = await rowsAtOnce(tx, table)
  let batch: RowBatch = { table, columns, rows: [] }
  let characters = 0
  for (;;) {
    const { rows } = await sql<{ row: string }>`FETCH ${sql.lit(count)} FROM dumped`.execute(tx)
    for (const { row } of rows) {
      batch.rows.push(JSON.parse(row) as (string | null)[])
      characters += row.length
      if (characters < BATCH_CHARACTERS) continue
      await write(batch)
      batch = { table, columns, rows: [] }
      characters = 0
    }
    if (rows.length < count) break
  }
  await sql`CLOSE dumped`.execute(tx)
  if (batch.rows.length > 0) await write(batch)
}

/** How many rows of a table fit into one result, judged by the largest. */
async function rowsAtOnce(tx: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ largest: number | null }>`
    SELECT max(octet_length(t::text)) AS largest FROM ${sql.table(table)} t`.execute(tx)
  const fitting = Math.floor(FETCHED_CHARACTERS / Math.max(1, rows[0]?.largest ?? 1))
  return Math.min(FETCHED_ROWS, Math.max(1, fitting))
}

/** Contents in tables that a database of an older program lacks, by the latest of them. */
const laterContents = {
  support_bundle: sql`SELECT content_id AS id FROM support_bundle WHERE time_deleted IS NULL`,
  update_upload: sql`SELECT content_id AS id FROM update_upload WHERE time_deleted IS NULL`,
  // What is in the recycle bin can come back.
  recycled: sql`SELECT content_id AS id FROM recycled`,
  instance_restore: sql`SELECT disk ->> 'content_id' AS id FROM instance_restore, jsonb_array_elements(disks) disk
      WHERE state = 'running'
    UNION SELECT s.content_id FROM snapshot s JOIN recycled r ON r.object_id = s.instance_snapshot_id`,
  instance_firmware: sql`SELECT variables_id AS id FROM instance_firmware
    UNION SELECT tpm_id FROM instance_firmware`,
}

async function laterContentsIn(tx: Kysely<Tables>): Promise<{ id: string | null }[]> {
  const found: { id: string | null }[] = []
  for (const [table, contents] of Object.entries(laterContents)) {
    const { rows } = await sql<{ known: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS known`.execute(
      tx,
    )
    if (rows[0]?.known) found.push(...(await contents.$castTo<{ id: string | null }>().execute(tx)).rows)
  }
  return found
}

/** Contents that rows refer to, and those that jobs have yet to copy or delete. */
async function contentsIn(tx: Kysely<Tables>): Promise<Set<string>> {
  if ((await appliedMigrations(tx)).length === 0) return new Set()
  const { rows } = await sql<{ id: string | null }>`
    SELECT content_id AS id FROM disk WHERE time_deleted IS NULL
    UNION SELECT content_id FROM snapshot WHERE time_deleted IS NULL
    UNION SELECT content_id FROM image WHERE time_deleted IS NULL
    UNION SELECT content_id FROM image_upload WHERE time_deleted IS NULL
    UNION SELECT args ->> 'content_id' FROM job WHERE state = 'pending'
    UNION SELECT args ->> 'from' FROM job WHERE state = 'pending'`.execute(tx)
  return new Set([...rows, ...(await laterContentsIn(tx))].flatMap(({ id }) => (id === null ? [] : [id])))
}

/** A disk made with an instance is attached from the start, and its bytes follow by a job. */
async function finishedIn(tx: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT content_id AS id FROM disk WHERE time_deleted IS NULL
      AND state IN ('detached', 'attaching', 'attached', 'detaching')
      AND NOT EXISTS (SELECT FROM job WHERE kind = 'disk-content' AND job.state = 'pending'
        AND args ->> 'content_id' = content_id)
    UNION SELECT content_id FROM snapshot WHERE time_deleted IS NULL AND state = 'ready'
    UNION SELECT content_id FROM image WHERE time_deleted IS NULL`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
