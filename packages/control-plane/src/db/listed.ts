import { sql, type RawBuilder } from 'kysely'
import type { Row, Tables } from './tables.ts'

/**
 * Columns that lists read from tables with wide rows. The rest (user data, SAML metadata) is read only for a
 * single object: ten thousand such rows would not fit into the memory of the database process.
 */
const listed = {
  instance: [
    'id',
    'generation',
    'name',
    'description',
    'time_created',
    'time_modified',
    'project_id',
    'ncpus',
    'memory',
    'hostname',
    'boot_disk_id',
    'run_state',
    'time_run_state_updated',
    'auto_restart_policy',
    'cpu_platform',
    'enable_jumbo_frames',
    'time_last_auto_restarted',
    'failure',
    'pending',
    'cds',
    'hardware',
  ],
  saml_identity_provider: ['id', 'generation', 'name', 'description', 'time_created', 'time_modified'],
} as const satisfies { [Name in keyof Tables]?: readonly (keyof Row<Name>)[] }

/** A row as read by lists. */
export type Listed<Name extends keyof Tables> = Name extends keyof typeof listed
  ? Pick<Row<Name>, Extract<(typeof listed)[Name][number], keyof Row<Name>>>
  : Row<Name>

/** The columns of alias `t` that a list of the table reads. */
export function listedColumns(table: keyof Tables): RawBuilder<unknown> {
  const columns: readonly string[] | undefined = (listed as Partial<Record<keyof Tables, readonly string[]>>)[
    table
  ]
  return columns ? sql.join(columns.map((column) => sql.ref(`t.${column}`))) : sql`t.*`
}
