import type { VpcRouterCreate, VpcRouterUpdate } from '@gantry/api/network/vpc-router'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { liveRows, removeAll } from '@gantry/control-plane/change/children'

type Router = Row<'vpc_router'>

/** Users create only custom routers; the system router comes with the VPC. */
export async function createRouter(cx: Cx, at: Selectors, body: VpcRouterCreate): Promise<Router> {
  const { row: vpc, scope } = await need(cx, 'vpc', at, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('vpc', vpc.id)
    return tx.insert('vpc_router', { ...body, vpc_id: vpc.id, kind: 'custom' })
  })
}

export async function updateRouter(cx: Cx, at: Selectors, body: VpcRouterUpdate): Promise<Router> {
  const { row, scope } = await need(cx, 'vpc_router', at, 'modify')
  return change(cx, scope, async (tx) => {
    const router = await tx.lock('vpc_router', row)
    return tx.update('vpc_router', router, {
      name: body.name ?? router.name,
      description: body.description ?? router.description,
    })
  })
}

/** Its routes are deleted with it, and its subnets fall back to the system routes. */
export async function deleteRouter(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'vpc_router', at, 'modify')
  if (row.kind === 'system')
    throw invalid('cannot delete system router', 'It is deleted together with its VPC.')
  await change(cx, scope, async (tx) => {
    await tx.lockById('vpc', row.vpc_id)
    for (const subnet of await liveRows(tx, 'vpc_subnet', 'vpc_id', row.vpc_id))
      if (subnet.custom_router_id === row.id)
        await tx.update('vpc_subnet', subnet, { custom_router_id: null })
    await removeRouter(tx, await tx.lock('vpc_router', row))
  })
}

export async function removeRouter(tx: Change, router: Router): Promise<void> {
  await removeAll(tx, 'router_route', 'vpc_router_id', router.id)
  await tx.remove('vpc_router', router)
}
