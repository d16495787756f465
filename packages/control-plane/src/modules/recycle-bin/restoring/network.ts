import { restoreWords } from '@gantry/api/history/recycle-bin.rules'
import { invalid, refuseIf } from '@gantry/control-plane/context/refusal'
import { liveRows } from '@gantry/control-plane/change/children'
import type { Change } from '@gantry/control-plane/change/change'
import { freeVni } from '../../network/records/default-vpc.ts'
import { insertSubnetRoute, overlapProblem } from '../../network/records/subnets.ts'
import { lockPool } from '../../network/addresses/pools.ts'
import { addressOf } from '@gantry/control-plane/lookup/need'
import { isInMember, overlapping } from '../../external-subnets/held.ts'
import { linkedPool } from '../../subnet-pools/of-silo.ts'
import type { VpcParts } from '../parts.ts'
import { unreserve } from '../purge.ts'
import { holdParent, restorer } from './restorer.ts'

export const floatingIp = restorer('external_ip', async ({ tx, item, row, name, tell }) => {
  if (row.project_id) await holdParent(tx, 'project', row.project_id)
  await lockPool(tx, item.silo_id, { type: 'explicit', pool: row.ip_pool_id })
  if (!(await unreserve(tx, item.id))) throw invalid(`${row.ip} is not reserved any more`)
  await tx.restore('external_ip', row, { name, instance_id: null })
  tell({ kind: 'external-ip', name: row.ip, outcome: 'back' })
})

export const externalSubnet = restorer('external_subnet', async ({ tx, item, row, name, tell }) => {
  await holdParent(tx, 'project', row.project_id)
  const isLinked = await linkedPool(tx.read, item.silo_id, row.subnet_pool_id)
    .forUpdate(['subnet_pool'])
    .forKeyShare(['subnet_pool_silo'])
    .executeTakeFirst()
  if (!isLinked) throw addressOf('subnet-pool', row.subnet_pool_id)
  // What waited for the pool before, such as the removal of its member, skipped the item that is being restored.
  if (!(await isInMember(tx, row)) || (await overlapping(tx, row)))
    throw invalid(`${row.subnet} is not reserved any more`)
  await tx.restore('external_subnet', row, { name, instance_id: null })
  tell({ kind: 'external-subnet', name: row.subnet, outcome: 'back' })
})

/** Everything that was deleted with a VPC, parents first. */
const partsOfVpc = ['vpc_router', 'router_route', 'internet_gateway', 'vpc_firewall_rule'] as const

export const vpc = restorer<'vpc', VpcParts>('vpc', async ({ tx, row, name, kept, tell }) => {
  await holdParent(tx, 'project', row.project_id)
  await tx.restore('vpc', row, { name, vni: await vniFor(tx, row.vni) })
  const { removed = {}, firewall_generation } = kept
  for (const table of partsOfVpc) await tx.restoreAll(table, removed[table] ?? [])
  await tx.plain
    .insertInto('vpc_firewall')
    .values({ vpc_id: row.id, generation: firewall_generation })
    .execute()
  await restoreAttachments(tx, removed.internet_gateway_ip_pool ?? [])
  await tx.restoreAll('internet_gateway_ip_address', removed.internet_gateway_ip_address ?? [])
  const rules = removed.vpc_firewall_rule?.length ?? 0
  if (rules > 0) tell({ kind: 'vpc-firewall-rule', name: String(rules), outcome: 'back' })
})

async function vniFor(tx: Change, vni: number): Promise<number> {
  const taken = await tx.read
    .selectFrom('vpc')
    .select('id')
    .where('vni', '=', vni)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return taken ? freeVni(tx) : vni
}

/** A pool may have been deleted meanwhile. */
async function restoreAttachments(tx: Change, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.read
    .selectFrom('internet_gateway_ip_pool')
    .innerJoin('ip_pool', 'ip_pool.id', 'internet_gateway_ip_pool.ip_pool_id')
    .select('internet_gateway_ip_pool.id')
    .where('internet_gateway_ip_pool.id', 'in', ids)
    .where('ip_pool.time_deleted', 'is', null)
    .execute()
  await tx.restoreAll(
    'internet_gateway_ip_pool',
    rows.map(({ id }) => id),
  )
}

export const subnet = restorer('vpc_subnet', async ({ tx, row, name, tell }) => {
  await holdParent(tx, 'vpc', row.vpc_id)
  const vpc = await tx.lockById('vpc', row.vpc_id)
  const others = await liveRows(tx, 'vpc_subnet', 'vpc_id', vpc.id)
  refuseIf(overlapProblem(row.ipv4_block, others) ?? overlapProblem(row.ipv6_block, others))
  const router =
    row.custom_router_id === null
      ? undefined
      : await tx.read
          .selectFrom('vpc_router')
          .select(['id', 'name', 'time_deleted'])
          .where('id', '=', row.custom_router_id)
          .executeTakeFirst()
  const isThere = router !== undefined && router.time_deleted === null
  const restored = await tx.restore('vpc_subnet', row, { name, custom_router_id: isThere ? router.id : null })
  await insertSubnetRoute(tx, vpc, restored)
  tell({ kind: 'vpc-subnet', name: row.ipv4_block, outcome: 'back' })
  if (router)
    tell({
      kind: 'vpc-router',
      name: router.name,
      ...(isThere ? { id: router.id, outcome: 'back' } : { outcome: 'lost', detail: restoreWords.deleted }),
    })
})
