import type { Row } from '../db/tables.ts'
import type { Change, Fresh } from '../change/change.ts'
import { ipv4Stretch } from '../modules/network/addresses/stretch.ts'

export interface PoolOfSilo {
  silo: Row<'silo'>
  pool: Row<'ip_pool'>
}

const portCount = 65_536
const snatPorts = portCount / 4

interface Addresses {
  give: (
    project: Row<'project'>,
    instanceIds: readonly string[],
    floating: readonly string[],
  ) => Promise<void>
}

/**
 * Unused addresses of a pool: SNAT addresses from the bottom and floating IPs from the top, as in real use.
 */
export function addressesOf(tx: Change, pool: Row<'ip_pool'>): Addresses {
  let quarters = 0
  let floated = 0
  return {
    async give(project, instanceIds, floating) {
      const range = await tx.read
        .selectFrom('ip_pool_range')
        .select(['first_int', 'last_int'])
        .where('ip_pool_id', '=', pool.id)
        .where('first_int', 'is not', null)
        .$narrowType<{ first_int: number; last_int: number }>()
        .executeTakeFirstOrThrow()
      const rows: Fresh<'external_ip'>[] = []
      const add = (
        ip_int: number,
        first_port: number,
        ports: number,
        own: Pick<Row<'external_ip'>, 'kind' | 'name' | 'description' | 'project_id' | 'instance_id'>,
      ) =>
        rows.push({
          ...own,
          ...ipv4Stretch(ip_int, { first_port, last_port: first_port + ports - 1 }),
          ip_pool_id: pool.id,
        })
      for (const instance_id of instanceIds) {
        const own = { kind: 'snat', name: null, description: null, project_id: null, instance_id } as const
        add(range.first_int + Math.floor(quarters / 4), (quarters % 4) * snatPorts, snatPorts, own)
        quarters += 1
      }
      for (const name of floating) {
        const own = {
          kind: 'floating',
          name,
          description: '',
          project_id: project.id,
          instance_id: null,
        } as const
        add(range.last_int - floated, 0, portCount, own)
        floated += 1
      }
      await tx.insertAll('external_ip', rows)
    },
  }
}
