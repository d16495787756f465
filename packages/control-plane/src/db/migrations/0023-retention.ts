import type { Migration } from './migration.ts'

/** Tables whose rows are marked when their objects are deleted. */
const marked = [
  'address_lot affinity_group alert_receiver anti_affinity_group bfd_session bgp_announce_set bgp_config',
  'certificate disk external_ip image image_upload instance internet_gateway internet_gateway_ip_address',
  'internet_gateway_ip_pool ip_pool loopback_address metric_query network_interface physical_disk probe project',
  'rack router_route saml_identity_provider silo silo_group silo_user sled snapshot ssh_key support_bundle switch',
  'switch_port switch_port_settings update_repository update_trust_root update_upload user_builtin vpc vpc_firewall_rule vpc_router vpc_subnet',
].flatMap((line) => line.split(' '))

const byTime = (table: string, column: string, where = ''): string =>
  `CREATE INDEX ${table}_${column} ON ${table} (${column})${where}`
const byTimeOnce = (table: string, column: string): string =>
  byTime(table, column, ` WHERE ${column} IS NOT NULL`)

/**
 * Old rows are deleted by an index on their time, so that it costs the same however many rows remain. Partial
 * indexes cost a live row nothing.
 */
export const retention: Migration = {
  id: '0023-retention',
  statements: [
    ...marked.map((table) => byTimeOnce(table, 'time_deleted')),
    byTimeOnce('vmm', 'time_gone'),
    byTimeOnce('issue_episode', 'time_ended'),
    byTime('console_session', 'time_created'),
    ...[
      'device_access_token',
      'device_auth_request',
      'passkey_challenge',
      'pending_sign_in',
      'saml_sign_in_test',
      'saml_used_assertion',
      'totp_set_up',
    ].map((table) => byTime(table, 'time_expires')),
    byTime('attempt', 'full_at'),
    byTime('alert_attempt', 'time_sent'),
    byTime('alert_delivery', 'time_started'),
    // By default, space is reused after a fifth of the rows are dead: of ten million that is too late.
    ...['audit', 'change'].map((table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02)`),
  ],
}
