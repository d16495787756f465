import type { Migration } from './migration.ts'

export const networking: Migration = {
  id: '0004-networking',
  statements: [
    `CREATE TABLE internet_gateway_ip_address (id uuid PRIMARY KEY, generation int8 NOT NULL DEFAULT 1,
      time_created timestamptz NOT NULL, time_modified timestamptz NOT NULL, time_deleted timestamptz,
      name text COLLATE "C" NOT NULL, description text NOT NULL, internet_gateway_id uuid NOT NULL, address text NOT NULL)`,
    `CREATE UNIQUE INDEX internet_gateway_ip_address_key ON internet_gateway_ip_address (internet_gateway_id)
      WHERE time_deleted IS NULL`,
    `CREATE TABLE vpc_firewall (vpc_id uuid PRIMARY KEY, generation int8 NOT NULL)`,
    `INSERT INTO vpc_firewall (vpc_id, generation) SELECT id, 1 FROM vpc WHERE time_deleted IS NULL`,
    `CREATE INDEX router_route_subnet ON router_route (vpc_subnet_id) WHERE time_deleted IS NULL`,
  ],
}
