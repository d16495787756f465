import { rolesEpoch } from './held-roles.ts'

/** The table of a credential, and the condition on alias `c` by which a secret's row is found. */
export interface CredentialSource {
  table: 'console_session' | 'device_access_token'
  condition: string
}

/** A credential `c` with its user `u` and silo, all of which exist. */
export const holding = (table: CredentialSource['table']): string => `${table} c
  JOIN silo_user u ON u.id = c.silo_user_id AND u.time_deleted IS NULL
  JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL`

/** Everything that a caller's identity and roles rest on, as one text. */
export const print = `concat_ws(' ', c.id, u.id, u.external_id, u.silo_id, silo.name, silo.mapped_fleet_roles,
    ${rolesEpoch})`
