import { type Kysely, sql } from 'kysely'
import type { Seal } from '../environment.ts'
import type { Tables } from './tables.ts'

/** Every sealed secret in the database, with the column that identifies its row. */
export const sealedColumns = [
  { table: 'saml_signing_key', key: 'saml_identity_provider_id', column: 'private_key' },
  { table: 'certificate_key', key: 'certificate_id', column: 'key' },
  { table: 'signing_key', key: 'name', column: 'key' },
  { table: 'totp', key: 'silo_user_id', column: 'secret' },
  { table: 'bgp_peer_key', key: 'id', column: 'key' },
  { table: 'webhook_secret', key: 'id', column: 'secret' },
  { table: 'image_import', key: 'upload_id', column: 'url' },
  { table: 'backup_target_inner', key: 'backup_target_id', column: 'encryption_key' },
  { table: 'backup_target_inner', key: 'backup_target_id', column: 'secret' },
  { table: 'totp_set_up', key: 'silo_user_id', column: 'secret' },
] as const

/**
 * Reseals unsealed values and those sealed with an older key. It may run at any time and in several processes: rows
 * changed meanwhile are skipped.
 */
export async function resealAll(db: Kysely<Tables>, seal: Seal): Promise<number> {
  let count = 0
  for (const { table, key, column } of sealedColumns) {
    const { rows } = await sql<{ id: string; text: string }>`
      SELECT ${sql.ref(key)}::text AS id, ${sql.ref(column)} AS text FROM ${sql.table(table)}`.execute(db)
    for (const { id, text } of rows.filter((row) => !seal.isCurrent(row.text))) {
      const again = await seal.seal(await seal.open(text))
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${again}
        WHERE ${sql.ref(key)}::text = ${id} AND ${sql.ref(column)} = ${text}`.execute(db)
      count += 1
    }
  }
  return count
}
