import type { VpcCreate, VpcUpdate } from '@gantry/api/network/vpc'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { allow, need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { anyLive, liveRows, removeAll } from '@gantry/control-plane/change/children'
import type { VpcParts } from '../../recycle-bin/parts.ts'
import { recycle } from '../../recycle-bin/recycle.ts'
import { createVpc } from './default-vpc.ts'
import { removeGateway } from './gateways.ts'
import { removeRouter } from './routers.ts'

export async function createVpcInProject(cx: Cx, at: Selectors, body: VpcCreate): Promise<Row<'vpc'>> {
  const found = await need(cx, 'project', at, 'create_child')
  allow(cx, found, 'create_child', { as: 'projectNetwork' })
  const { row: project, scope } = found
  return change(cx, scope, async (tx) => {
    // Its default pool does not change until the VPC's gateway leads there.
    await tx.hold('silo', project.silo_id)
    await tx.hold('project', project.id)
    const { ipv6_prefix, ...rest } = body
    return createVpc(tx, project, { ...rest, ...(ipv6_prefix ? { ipv6_prefix } : {}) })
  })
}

/** Firewall rules keep the old name and then match nothing (control plane reference, B 9.3). */
export async function updateVpc(cx: Cx, at: Selectors, body: VpcUpdate): Promise<Row<'vpc'>> {
  const { row, scope } = await need(cx, 'vpc', at, 'modify')
  return change(cx, scope, async (tx) => {
    const vpc = await tx.lock('vpc', row)
    return tx.update('vpc', vpc, {
      name: body.name ?? vpc.name,
      description: body.description ?? vpc.description,
      dns_name: body.dns_name ?? vpc.dns_name,
    })
  })
}

/**
 * Deletes a VPC with everything except subnets. The reference leaves gateways behind, unreachable; here they
 * are deleted too, so that no live row has a deleted parent (control plane reference, B 9.4).
 */
export async function deleteVpc(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'vpc', at, 'modify')
  await change(cx, scope, async (tx) => {
    const vpc = await tx.lockToDelete('vpc', row)
    if (await anyLive(tx, 'vpc_subnet', 'vpc_id', vpc.id))
      throw invalid('VPC cannot be deleted while VPC Subnets exist', 'Delete its subnets first.')
    for (const gateway of await liveRows(tx, 'internet_gateway', 'vpc_id', vpc.id))
      await removeGateway(tx, gateway)
    for (const router of await liveRows(tx, 'vpc_router', 'vpc_id', vpc.id)) await removeRouter(tx, router)
    await removeAll(tx, 'vpc_firewall_rule', 'vpc_id', vpc.id)
    const firewall = await tx.plain
      .deleteFrom('vpc_firewall')
      .where('vpc_id', '=', vpc.id)
      .returning('generation')
      .executeTakeFirst()
    await tx.remove('vpc', vpc)
    await recycle(tx, {
      kind: 'vpc',
      row: vpc,
      silo_id: scope.silo_id,
      project_id: vpc.project_id,
      kept: { firewall_generation: firewall?.generation ?? 1 } satisfies VpcParts,
    })
  })
}
