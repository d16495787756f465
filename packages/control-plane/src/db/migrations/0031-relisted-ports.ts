import type { Migration } from './migration.ts'

/** Free ports are listed anew, because a list could end inside an address and hold ports of one in whole use. */
export const relistedPorts: Migration = {
  id: '0031-relisted-ports',
  statements: [`DELETE FROM ip_pool_free_port`, `UPDATE ip_pool_range SET free_ports_from = 0`],
}
