import type { Migration } from './migration.ts'

const tracked = `id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1, time_created timestamptz NOT NULL,
  time_modified timestamptz NOT NULL, time_deleted timestamptz`
const named = `${tracked}, name text COLLATE "C" NOT NULL, description text NOT NULL`
const uniqueName = (table: string) =>
  `CREATE UNIQUE INDEX ${table}_name_key ON ${table} (name) WHERE time_deleted IS NULL`

/** The rack's own network: address lots, ports of switches and their settings, BGP, BFD, and who may reach it. */
export const systemNetworking: Migration = {
  id: '0019-system-networking',
  statements: [
    `CREATE TABLE address_lot (${named}, kind text NOT NULL)`,
    uniqueName('address_lot'),
    `CREATE TABLE address_lot_block (id uuid PRIMARY KEY, address_lot_id uuid NOT NULL, first_ip text NOT NULL,
      last_ip text NOT NULL, first_key text COLLATE "C" NOT NULL, last_key text COLLATE "C" NOT NULL)`,
    `CREATE INDEX address_lot_block_lot ON address_lot_block (address_lot_id, id)`,
    // Addresses in use. An anycast address has a row for each holder, hence no unique index.
    `CREATE TABLE address_reservation (holder_id uuid NOT NULL, address_key text COLLATE "C" NOT NULL,
      address_lot_id uuid NOT NULL, address_lot_block_id uuid NOT NULL, is_anycast bool NOT NULL,
      PRIMARY KEY (holder_id, address_lot_id, address_key))`,
    `CREATE INDEX address_reservation_lot ON address_reservation (address_lot_id, address_key)`,
    `CREATE TABLE loopback_address (${tracked}, address_lot_block_id uuid NOT NULL, rack_id uuid NOT NULL,
      switch_location text NOT NULL, address text NOT NULL)`,
    `CREATE UNIQUE INDEX loopback_address_key ON loopback_address (rack_id, switch_location, address)
      WHERE time_deleted IS NULL`,

    `CREATE TABLE switch_port_settings (${named}, contents jsonb NOT NULL)`,
    uniqueName('switch_port_settings'),
    `CREATE TABLE bgp_peer_key (id uuid PRIMARY KEY, port_settings_id uuid NOT NULL, key text NOT NULL)`,
    `CREATE INDEX bgp_peer_key_settings ON bgp_peer_key (port_settings_id)`,
    `CREATE TABLE switch_port (${tracked}, rack_id uuid NOT NULL, switch_location text NOT NULL,
      port_name text NOT NULL, port_settings_id uuid, time_applied timestamptz)`,
    `CREATE UNIQUE INDEX switch_port_key ON switch_port (rack_id, switch_location, port_name)
      WHERE time_deleted IS NULL`,
    `INSERT INTO switch_port (id, time_created, time_modified, rack_id, switch_location, port_name)
      SELECT gen_random_uuid(), now(), now(), rack.id, 'switch' || slot, 'qsfp' || port
      FROM rack, generate_series(0, 1) slot, generate_series(0, 31) port WHERE rack.time_deleted IS NULL`,

    `CREATE TABLE bgp_announce_set (${named}, announcements jsonb NOT NULL)`,
    uniqueName('bgp_announce_set'),
    `CREATE TABLE bgp_config (${named}, asn int8 NOT NULL, vrf text, bgp_announce_set_id uuid NOT NULL)`,
    uniqueName('bgp_config'),
    `CREATE UNIQUE INDEX bgp_config_asn_key ON bgp_config (asn) WHERE time_deleted IS NULL`,
    `CREATE TABLE bfd_session (${tracked}, switch text NOT NULL, remote text NOT NULL, local text,
      detection_threshold int4 NOT NULL, required_rx int8 NOT NULL, mode text NOT NULL)`,
    `CREATE UNIQUE INDEX bfd_session_key ON bfd_session (switch, remote) WHERE time_deleted IS NULL`,

    `CREATE TABLE network_access (name text PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, value jsonb NOT NULL)`,
    `CREATE TABLE network_trial (id uuid PRIMARY KEY, subject text NOT NULL, subject_id uuid NOT NULL,
      before jsonb NOT NULL, after jsonb NOT NULL, generation int8 NOT NULL, state text NOT NULL,
      time_created timestamptz NOT NULL, time_expires timestamptz NOT NULL, time_ended timestamptz)`,
    `CREATE INDEX network_trial_running ON network_trial (subject_id) WHERE state = 'running'`,
  ],
}
