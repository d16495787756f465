import type { Migration } from './migration.ts'

/** How many equal paths the routers use at once; one, as before. */
export const bgpPaths: Migration = {
  id: '0081-bgp-paths',
  statements: [`ALTER TABLE bgp_config ADD COLUMN max_paths int4 NOT NULL DEFAULT 1`],
}
