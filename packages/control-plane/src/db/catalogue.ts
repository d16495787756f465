import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

export interface Column {
  name: string
  type: string
}

/** Makes the text of a value the same in every database, whatever the server's settings. */
export const textsAlike: readonly RawBuilder<unknown>[] = [
  sql`SET LOCAL TimeZone = 'UTC'`,
  sql`SET LOCAL DateStyle = 'ISO, YMD'`,
  sql`SET LOCAL bytea_output = 'hex'`,
]

export async function tablesIn(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

export async function columnsOf(db: Kysely<Tables>, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    SELECT column_name AS name, udt_name AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} ORDER BY ordinal_position`.execute(db)
  return rows
}

export async function primaryKeyOf(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT k.column_name AS name FROM information_schema.table_constraints c
    JOIN information_schema.key_column_usage k
      ON k.constraint_schema = c.constraint_schema AND k.constraint_name = c.constraint_name
      AND k.table_name = c.table_name
    WHERE c.table_schema = current_schema() AND c.table_name = ${table} AND c.constraint_type = 'PRIMARY KEY'
    ORDER BY k.ordinal_position`.execute(db)
  return rows.map(({ name }) => name)
}
