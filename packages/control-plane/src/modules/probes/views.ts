import type { Probe, ProbeInfo } from '@gantry/api/network/probe'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { resourceView, withGeneration } from '../../lookup/views.ts'
import { formatMac } from '../network/addresses/ip.ts'

export const probeView = (row: Row<'probe'>): Probe => resourceView(row, { sled: row.sled_id })

/**
 * Probes with their interface and addresses, in one query for all of them. Those deleted since their rows were
 * read are omitted.
 */
export async function probeInfos(db: Reader, rows: readonly Row<'probe'>[]): Promise<ProbeInfo[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const interfaces = await db
    .selectFrom('network_interface as nic')
    .innerJoin('vpc', 'vpc.id', 'nic.vpc_id')
    .innerJoin('vpc_subnet as subnet', 'subnet.id', 'nic.subnet_id')
    .selectAll('nic')
    .select(['vpc.vni', 'subnet.ipv4_block'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('external_ip')
          .select(['first_port', 'external_ip.ip', 'kind', 'last_port'])
          .whereRef('external_ip.probe_id', '=', 'nic.probe_id')
          .where('external_ip.time_deleted', 'is', null),
      ).as('external_ips'),
    )
    .where('nic.probe_id', 'in', ids)
    .where('nic.time_deleted', 'is', null)
    .execute()
  return rows.flatMap((row) => {
    const nic = interfaces.find(({ probe_id }) => probe_id === row.id)
    if (!nic) return []
    return withGeneration(
      {
        external_ips: nic.external_ips,
        id: row.id,
        interface: interfaceView(row, nic),
        name: row.name,
        sled: row.sled_id,
      },
      row.generation,
    )
  })
}

const interfaceView = (
  probe: Row<'probe'>,
  nic: Row<'network_interface'> & { vni: number; ipv4_block: string },
): ProbeInfo['interface'] => ({
  id: nic.id,
  ip_config: {
    type: 'v4',
    // Probes have addresses of IPv4.
    value: { ip: nic.ip ?? '', subnet: nic.ipv4_block, transit_ips: nic.transit_ips },
  },
  kind: { type: 'probe', id: probe.id },
  mac: formatMac(nic.mac_int),
  name: nic.name,
  primary: nic.is_primary,
  slot: nic.slot,
  vni: nic.vni,
})
