import type { Row, TrackedName } from '../../db/tables.ts'
import { type Change, change } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { need, type Selectors } from '../../kernel/need.ts'
import { invalid } from '../../kernel/refusal.ts'

/**
 * What belongs to a VPC goes with it, except subnets. The reference leaves gateways behind where nobody can
 * reach them; here they go too, so that no live row has a dead parent (control plane reference, B 9.4).
 */
export async function deleteVpc(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'vpc', at, 'modify')
  await change(cx, scope, async (tx) => {
    const vpc = await tx.lock('vpc', row.id)
    if (await anyLive(tx, 'vpc_subnet', 'vpc_id', vpc.id))
      throw invalid('VPC cannot be deleted while VPC Subnets exist', 'Delete its subnets first.')
    for (const gateway of await liveRows(tx, 'internet_gateway', 'vpc_id', vpc.id)) {
      await removeAll(tx, 'internet_gateway_ip_pool', 'internet_gateway_id', gateway.id)
      await tx.remove('internet_gateway', gateway)
    }
    for (const router of await liveRows(tx, 'vpc_router', 'vpc_id', vpc.id)) {
      await removeAll(tx, 'router_route', 'vpc_router_id', router.id)
      await tx.remove('vpc_router', router)
    }
    await removeAll(tx, 'vpc_firewall_rule', 'vpc_id', vpc.id)
    await tx.remove('vpc', vpc)
  })
}

export async function deleteSubnet(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'vpc_subnet', at, 'modify')
  await change(cx, scope, async (tx) => {
    // Whoever adds an interface holds the VPC (`createInterfaces`), so none slips in after the look.
    await tx.lock('vpc', row.vpc_id)
    const subnet = await tx.lock('vpc_subnet', row.id)
    if (await anyLive(tx, 'network_interface', 'subnet_id', subnet.id))
      throw invalid(
        'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
        'Delete the instances that use it first.',
      )
    await removeAll(tx, 'router_route', 'vpc_subnet_id', subnet.id)
    await tx.remove('vpc_subnet', subnet)
  })
}

/** Live rows of a parent, held to the end of the change. */
async function liveRows<Name extends TrackedName>(
  tx: Change,
  table: Name,
  column: keyof Row<Name> & string,
  parentId: string,
): Promise<Row<Name>[]> {
  // The query builder cannot follow a table that is a type variable; the caller's types say that the column fits.
  const rows = await tx.read
    .selectFrom(table as 'vpc_subnet')
    .selectAll()
    .where(column as 'vpc_id', '=', parentId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as unknown as Row<Name>[]
}

async function removeAll<Name extends TrackedName>(
  tx: Change,
  table: Name,
  column: keyof Row<Name> & string,
  parentId: string,
): Promise<void> {
  for (const row of await liveRows(tx, table, column, parentId)) await tx.remove(table, row)
}

async function anyLive(
  tx: Change,
  table: 'vpc_subnet' | 'network_interface',
  column: 'vpc_id' | 'subnet_id',
  parentId: string,
): Promise<boolean> {
  const row = await tx.read
    .selectFrom(table as 'network_interface')
    .select('id')
    .where(column, '=', parentId)
    .where('time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
