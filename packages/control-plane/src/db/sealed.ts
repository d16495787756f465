import { type Kysely, sql } from 'kysely'
import type { Seal } from '../environment.ts'
import type { Tables } from './tables.ts'

/** Every secret that the database keeps sealed and readable, and by which column its rows are told apart. */
export const sealedColumns = [
  { table: 'saml_signing_key', key: 'saml_identity_provider_id', column: 'private_key' },
  { table: 'certificate_key', key: 'certificate_id', column: 'key' },
  { table: 'signing_key', key: 'name', column: 'key' },
  { table: 'totp', key: 'silo_user_id', column: 'secret' },
  { table: 'totp_set_up', key: 'silo_user_id', column: 'secret' },
] as const

/**
 * Seals with the current key what was kept before there was one, or is sealed with an older key. It may run at any
 * moment and in several processes: a row that somebody else has written meanwhile is left alone.
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
