import type { Migration } from './migration.ts'

/** Free ports listed ahead of their use. Until the first are listed, searches work as before. */
export const freePorts: Migration = {
  id: '0025-free-ports',
  statements: [
    `CREATE TABLE ip_pool_free_port (ip_pool_id uuid NOT NULL, position int8 NOT NULL,
      PRIMARY KEY (ip_pool_id, position))`,
  ],
}
