import type { Migration } from './migration.ts'

/** Activity found by name leads to refused requests too, of which a silo can have very many. */
export const refusedNames: Migration = {
  id: '0052-refused-names',
  statements: [
    `CREATE INDEX audit_refused_name ON audit (silo_id, object_name, time_completed, id)
      WHERE http_status_code >= 400 AND object_id IS NOT NULL`,
  ],
}
