import { isUuid } from '@gantry/api/base/name.rules'
import { parseIpNet } from '@gantry/api/base/ip.rules'
import type { VpcSubnetCreate, VpcSubnetUpdate } from '@gantry/api/network/vpc'
import { overlapping, subnetIpv4Problem, subnetIpv6Problem } from '@gantry/api/network/vpc.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { insufficient, invalid, Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import { anyLive, liveRows, removeAll } from '@gantry/control-plane/change/children'
import { recycle } from '../../recycle-bin/recycle.ts'
import { ipv6SubnetOf, parseIpv4Block } from '../addresses/ip.ts'

type Subnet = Row<'vpc_subnet'>
type Vpc = Row<'vpc'>

/** Overlaps are checked with the VPC's row locked, so that concurrent creations see each other. */
export async function createSubnet(cx: Cx, at: Selectors, body: VpcSubnetCreate): Promise<Subnet> {
  const { row, scope } = await need(cx, 'vpc', at, 'create_child')
  const custom_router_id = await customRouter(cx, row.id, body.custom_router)
  return change(cx, scope, async (tx) => {
    const vpc = await tx.lock('vpc', row)
    if (custom_router_id) await tx.hold('vpc_router', custom_router_id)
    const others = await liveRows(tx, 'vpc_subnet', 'vpc_id', vpc.id)
    refuseIf(blocksProblem(vpc, body))
    const ipv6_block = body.ipv6_block ?? randomIpv6Block(tx, vpc, others)
    refuseIf(overlapProblem(body.ipv4_block, others) ?? overlapProblem(ipv6_block, others))
    const { name, description, ipv4_block } = body
    return insertSubnet(tx, vpc, { name, description, ipv4_block, ipv6_block, custom_router_id })
  })
}

type NewSubnet = Pick<Subnet, 'name' | 'description' | 'ipv4_block' | 'ipv6_block' | 'custom_router_id'>

/** A subnet with its route on the system router, which makes it reachable in the VPC. */
export async function insertSubnet(tx: Change, vpc: Vpc, wanted: NewSubnet): Promise<Subnet> {
  const block = parseIpv4Block(wanted.ipv4_block)
  if (!block) throw new Error(`${wanted.ipv4_block} is not an IPv4 network`)
  const bounds = { ipv4_first: block.first, ipv4_last: block.last }
  const subnet = await tx.insert('vpc_subnet', { ...wanted, ...bounds, vpc_id: vpc.id })
  await insertSubnetRoute(tx, vpc, subnet)
  return subnet
}

export async function insertSubnetRoute(tx: Change, vpc: Vpc, subnet: Subnet): Promise<void> {
  const id = tx.cx.newId()
  await tx.insert('router_route', {
    id,
    vpc_router_id: vpc.system_router_id,
    description: 'System-managed VPC Subnet route.',
    kind: 'vpc_subnet',
    vpc_subnet_id: subnet.id,
    ...routeOf(subnet.name, id),
  })
}

const reserved = new Set(['default-v4', 'default-v6'])

/**
 * The route has the name of its subnet, unless a default route already has it (control plane reference, B
 * 10.2).
 */
function routeOf(subnetName: string, routeId: string) {
  const itself = JSON.stringify({ type: 'subnet', value: subnetName })
  const name = reserved.has(subnetName) ? `conflict-${subnetName}-${routeId}` : subnetName
  return { name, destination: itself, target: itself }
}

const customRouterIs = 'Choose a custom router of the same VPC.'

/** A name refers to the VPC; an id may be anywhere the caller may see. */
async function customRouter(
  cx: Cx,
  vpcId: string,
  nameOrId: string | null | undefined,
): Promise<string | null> {
  if (!nameOrId) return null
  const at = isUuid(nameOrId) ? { router: nameOrId } : { router: nameOrId, vpc: vpcId }
  const { row: router } = await need(cx, 'vpc_router', at, 'read')
  if (router.vpc_id !== vpcId)
    throw invalid(
      'a router can only be attached to a subnet when both belong to the same VPC',
      customRouterIs,
    )
  if (router.kind === 'system') throw invalid('cannot attach a system router to a VPC subnet', customRouterIs)
  return router.id
}

function blocksProblem(vpc: Vpc, body: VpcSubnetCreate): Refusal | undefined {
  const ipv4 = parseIpNet(body.ipv4_block)
  const ipv4Problem = ipv4 && subnetIpv4Problem(ipv4)
  if (ipv4Problem)
    return invalid(ipv4Problem, 'Choose a range of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.')
  const ipv6Problem = body.ipv6_block ? subnetIpv6Problem(body.ipv6_block, vpc.ipv6_prefix) : undefined
  return ipv6Problem === undefined
    ? undefined
    : invalid(ipv6Problem, `Choose a /64 of ${vpc.ipv6_prefix}, or leave it out to get a free one.`)
}

export function overlapProblem(text: string, others: readonly Subnet[]): Refusal | undefined {
  const found = overlapping(text, others, ({ ipv4_block, ipv6_block }) => [ipv4_block, ipv6_block])
  if (!found) return undefined
  const { owner, block } = found
  return new Refusal('InvalidRequest', `IP address range '${text}' conflicts with an existing subnet`, {
    help: `The subnet ${owner.name} has ${block}. Choose a range that does not overlap with it.`,
    details: { subnet_id: owner.id, subnet: owner.name, block },
  })
}

const ipv6BlockCount = 65_536

/** The first unused /64 of the VPC, from a random start. */
function randomIpv6Block(tx: Change, vpc: Vpc, others: readonly Subnet[]): string {
  const taken = new Set(others.map((other) => other.ipv6_block))
  const [high = 0, low = 0] = tx.cx.services.random(2)
  for (let step = 0; step < ipv6BlockCount; step++) {
    const block = ipv6SubnetOf(vpc.ipv6_prefix, (high * 256 + low + step) % ipv6BlockCount)
    if (!taken.has(block)) return block
  }
  throw insufficient(`No free IPv6 range was found in ${vpc.ipv6_prefix}`, {
    help: 'Delete an unused subnet.',
  })
}

/** Omitting the custom router detaches the current one; the system route follows the name (B 10.4). */
export async function updateSubnet(cx: Cx, at: Selectors, body: VpcSubnetUpdate): Promise<Subnet> {
  const { row, scope } = await need(cx, 'vpc_subnet', at, 'modify')
  const custom_router_id = await customRouter(cx, row.vpc_id, body.custom_router)
  return change(cx, scope, async (tx) => {
    await tx.lockById('vpc', row.vpc_id)
    const subnet = await tx.lock('vpc_subnet', row)
    if (custom_router_id) await tx.hold('vpc_router', custom_router_id)
    const name = body.name ?? subnet.name
    const description = body.description ?? subnet.description
    const updated = await tx.update('vpc_subnet', subnet, { name, description, custom_router_id })
    if (name !== subnet.name)
      for (const route of await liveRows(tx, 'router_route', 'vpc_subnet_id', subnet.id))
        await tx.update('router_route', route, routeOf(name, route.id))
    return updated
  })
}

export async function deleteSubnet(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'vpc_subnet', at, 'modify')
  await change(cx, scope, async (tx) => {
    // Adding an interface locks the VPC (`createInterfaces`), so none can slip in after the check.
    await tx.lockById('vpc', row.vpc_id)
    const subnet = await tx.lock('vpc_subnet', row)
    if (await anyLive(tx, 'network_interface', 'subnet_id', subnet.id))
      throw invalid(
        'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
        'Delete the instances and probes that use it first.',
      )
    await removeAll(tx, 'router_route', 'vpc_subnet_id', subnet.id)
    await tx.remove('vpc_subnet', subnet)
    await recycle(tx, {
      kind: 'vpc-subnet',
      row: subnet,
      silo_id: scope.silo_id,
      project_id: scope.project_id,
      parent_id: subnet.vpc_id,
    })
  })
}
