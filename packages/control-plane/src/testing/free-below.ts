import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'

/**
 * Every VPC, subnet and range with something free below its search start, listed ports that are in use or
 * above it, and lists that end inside an address. There must be none, because a search would miss what is free, or
 * find what is not.
 */
export async function freeBelow(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    SELECT 'MACs of VPC ' || v.id AS what FROM vpc v WHERE v.free_macs_from - ${0xa8_40_25_f0_00_00}::int8 > (
      SELECT count(*) FROM network_interface n
      WHERE n.vpc_id = v.id AND n.time_deleted IS NULL AND n.mac_int < v.free_macs_from)
    UNION ALL
    SELECT 'addresses of subnet ' || s.id FROM vpc_subnet s WHERE s.free_ips_from - s.ipv4_first - 5 > (
      SELECT count(*) FROM network_interface n
      WHERE n.subnet_id = s.id AND n.time_deleted IS NULL AND n.ip_int < s.free_ips_from)
    UNION ALL
    SELECT 'ports of range ' || r.first_ip FROM ip_pool_range r WHERE r.free_ports_from - r.first_int * 65536 > (
      SELECT coalesce(sum(e.last_port - e.first_port + 1), 0) FROM external_ip e
      WHERE e.ip_pool_id = r.ip_pool_id AND e.time_deleted IS NULL AND e.ip_int >= r.first_int
        AND e.ip_int * 65536 + e.first_port < r.free_ports_from
    ) + (
      SELECT count(*) * 16384 FROM ip_pool_free_port f WHERE f.ip_pool_id = r.ip_pool_id
        AND f.position >= r.first_int * 65536 AND f.position < r.free_ports_from)
    UNION ALL
    SELECT 'port ' || f.position FROM ip_pool_free_port f WHERE NOT EXISTS (
        SELECT FROM ip_pool_range r WHERE r.ip_pool_id = f.ip_pool_id AND f.position >= r.first_int * 65536
          AND f.position < r.free_ports_from)
      OR EXISTS (
        SELECT FROM external_ip e WHERE e.ip_pool_id = f.ip_pool_id AND e.time_deleted IS NULL
          AND f.position BETWEEN e.ip_int * 65536 + e.first_port AND e.ip_int * 65536 + e.last_port)
    UNION ALL
    SELECT 'list of range ' || r.first_ip FROM ip_pool_range r WHERE r.free_ports_from % 65536 > 0
    UNION ALL
    SELECT 'addresses of range ' || r.first_ip FROM ip_pool_range r
    WHERE r.free_addresses_from / 65536 - r.first_int > (
      SELECT count(DISTINCT e.ip_int) FROM external_ip e
      WHERE e.ip_pool_id = r.ip_pool_id AND e.time_deleted IS NULL AND e.ip_int >= r.first_int
        AND e.ip_int < r.free_addresses_from / 65536)
    UNION ALL
    SELECT 'IPv6 addresses of range ' || r.first_ip FROM ip_pool_range r
    WHERE r.first_int IS NULL AND r.free_addresses_from > (
      SELECT count(*) FROM external_ip e WHERE e.ip_pool_id = r.ip_pool_id AND e.time_deleted IS NULL
        AND e.ip_key BETWEEN r.first_key AND r.last_key AND e.ipv6_offset < r.free_addresses_from)`.execute(
    db,
  )
  return rows.map(({ what }) => what)
}
