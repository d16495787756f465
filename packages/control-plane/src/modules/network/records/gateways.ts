import type {
  InternetGatewayCreate,
  InternetGatewayIpAddressCreate,
  InternetGatewayIpPoolCreate,
} from '@gantry/api/network/internet-gateway'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { alreadyExists, invalid } from '@gantry/control-plane/context/refusal'
import { anyLive, liveRows, removeAll } from '@gantry/control-plane/change/children'
import { needLinkedPool } from '../addresses/pools.ts'

type Gateway = Row<'internet_gateway'>

export async function createGateway(cx: Cx, at: Selectors, body: InternetGatewayCreate): Promise<Gateway> {
  const { row: vpc, scope } = await need(cx, 'vpc', at, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('vpc', vpc.id)
    return tx.insert('internet_gateway', { ...body, vpc_id: vpc.id })
  })
}

const setCascade = 'Delete them first, or set cascade to delete them and the routes to this gateway too.'

/** A cascade also deletes the attachments, and every route of the VPC to this gateway (B 13.2). */
export async function deleteGateway(cx: Cx, at: Selectors, cascade: boolean): Promise<void> {
  const { row, scope } = await need(cx, 'internet_gateway', at, 'modify')
  await change(cx, scope, async (tx) => {
    await tx.lockById('vpc', row.vpc_id)
    const gateway = await tx.lock('internet_gateway', row)
    if (!cascade) await refuseAttachments(tx, gateway)
    else for (const route of await routesTo(tx, gateway)) await tx.remove('router_route', route)
    await removeGateway(tx, gateway)
  })
}

async function refuseAttachments(tx: Change, { id }: Gateway): Promise<void> {
  if (await anyLive(tx, 'internet_gateway_ip_pool', 'internet_gateway_id', id))
    throw invalid(
      'Ip pools referencing this gateway exist. To perform a cascading delete set the cascade option',
      setCascade,
    )
  if (await anyLive(tx, 'internet_gateway_ip_address', 'internet_gateway_id', id))
    throw invalid(
      'Ip addresses referencing this gateway exist. To perform a cascading delete set the cascade option',
      setCascade,
    )
}

export async function removeGateway(tx: Change, gateway: Gateway): Promise<void> {
  await removeAll(tx, 'internet_gateway_ip_pool', 'internet_gateway_id', gateway.id)
  await removeAll(tx, 'internet_gateway_ip_address', 'internet_gateway_id', gateway.id)
  await tx.remove('internet_gateway', gateway)
}

/** Routes refer to a gateway by name, so all routers of the VPC are searched by name. */
async function routesTo(tx: Change, gateway: Gateway): Promise<Row<'router_route'>[]> {
  const routes: Row<'router_route'>[] = []
  for (const router of await liveRows(tx, 'vpc_router', 'vpc_id', gateway.vpc_id))
    routes.push(...(await liveRows(tx, 'router_route', 'vpc_router_id', router.id)))
  return routes.filter(({ target }) => target.type === 'internet_gateway' && target.value === gateway.name)
}

/** A pool is attached to a gateway at most once; attachment names may repeat. */
export async function attachPool(
  cx: Cx,
  at: Selectors,
  body: InternetGatewayIpPoolCreate,
): Promise<Row<'internet_gateway_ip_pool'>> {
  const { row, scope } = await need(cx, 'internet_gateway', at, 'create_child')
  const pool = await needLinkedPool(cx.db, scope.silo_id ?? '', body.ip_pool)
  return change(cx, scope, async (tx) => {
    await tx.hold('ip_pool', pool.id)
    // It may have been unlinked meanwhile.
    await needLinkedPool(tx.read, scope.silo_id ?? '', pool.id)
    const gateway = await tx.lock('internet_gateway', row)
    const attached = await liveRows(tx, 'internet_gateway_ip_pool', 'internet_gateway_id', gateway.id)
    const same = attached.find((one) => one.ip_pool_id === pool.id)
    if (same)
      throw alreadyExists(
        'internet-gateway-ip-pool',
        body.name,
        `The pool ${pool.name} is already attached, as ${same.name}.`,
      )
    return tx.insert('internet_gateway_ip_pool', {
      name: body.name,
      description: body.description,
      internet_gateway_id: gateway.id,
      ip_pool_id: pool.id,
    })
  })
}

/** At most one per gateway. */
export async function attachAddress(
  cx: Cx,
  at: Selectors,
  body: InternetGatewayIpAddressCreate,
): Promise<Row<'internet_gateway_ip_address'>> {
  const { row, scope } = await need(cx, 'internet_gateway', at, 'create_child')
  return change(cx, scope, async (tx) => {
    const gateway = await tx.lock('internet_gateway', row)
    const [attached] = await liveRows(tx, 'internet_gateway_ip_address', 'internet_gateway_id', gateway.id)
    if (attached)
      throw alreadyExists(
        'internet-gateway-ip-address',
        body.name,
        `A gateway has at most one address. Detach ${attached.name} first.`,
      )
    return tx.insert('internet_gateway_ip_address', { ...body, internet_gateway_id: gateway.id })
  })
}

const inUse = invalid(
  'VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option',
  'Set cascade to detach it anyway. Instances will lose outbound access through it.',
)

export async function detachPool(cx: Cx, at: Selectors, cascade: boolean): Promise<void> {
  const { row, scope } = await need(cx, 'internet_gateway_ip_pool', at, 'modify')
  await change(cx, scope, async (tx) => {
    const gateway = await tx.lockById('internet_gateway', row.internet_gateway_id)
    const attachment = await tx.lock('internet_gateway_ip_pool', row)
    const from = sql`ip.ip_pool_id = ${attachment.ip_pool_id}`
    if (!cascade && (await routesDepend(tx, gateway, from))) throw inUse
    await tx.remove('internet_gateway_ip_pool', attachment)
  })
}

export async function detachAddress(cx: Cx, at: Selectors, cascade: boolean): Promise<void> {
  const { row, scope } = await need(cx, 'internet_gateway_ip_address', at, 'modify')
  await change(cx, scope, async (tx) => {
    const gateway = await tx.lockById('internet_gateway', row.internet_gateway_id)
    const attachment = await tx.lock('internet_gateway_ip_address', row)
    const from = sql`ip.ip = ${attachment.address}`
    if (!cascade && (await routesDepend(tx, gateway, from))) throw inUse
    await tx.remove('internet_gateway_ip_address', attachment)
  })
}

/** Whether a route leads to the gateway while an instance of the VPC has an external address from it. */
async function routesDepend(tx: Change, gateway: Gateway, from: ReturnType<typeof sql>): Promise<boolean> {
  if ((await routesTo(tx, gateway)).length === 0) return false
  const { rows } = await sql`
    SELECT 1 FROM external_ip ip JOIN network_interface nic ON nic.instance_id = ip.instance_id
    WHERE nic.vpc_id = ${gateway.vpc_id} AND nic.time_deleted IS NULL AND ip.time_deleted IS NULL AND ${from}
    LIMIT 1`.execute(tx.read)
  return rows.length > 0
}
