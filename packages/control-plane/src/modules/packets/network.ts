import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { type IpAddress, netContains } from '@gantry/api/base/ip.rules'
import { addressesOf } from '../network/records/ip-stack.ts'
import { prepareGateways } from './gateways.ts'
import {
  type Gateway,
  type Instance,
  type Interface,
  ip,
  net,
  type NetworkRows,
  type Subnet,
} from './model.ts'
import { prepareRoutes, type PreparedRoute } from './routes.ts'
import { type PreparedRule, prepareRules } from './rules.ts'

/** The rows, parsed and linked once, to evaluate many packets. */
export interface Network {
  subnets: readonly Subnet[]
  instances: ReadonlyMap<string, Instance>
  gateways: readonly Gateway[]
  rules: readonly PreparedRule[]
  routes: readonly PreparedRoute[]
  interfaceAt: (address: IpAddress) => Interface | undefined
  /** The holder of a floating or ephemeral address. */
  ownerOf: (address: IpAddress) => Instance | undefined
  /** The instance to which all addresses of an external subnet are routed. */
  routedTo: (address: IpAddress) => Instance | undefined
}

const kinds = ['floating', 'ephemeral', 'snat']

/** @param rules Those of the rows, if they were prepared before. */
export function prepareNetwork(rows: NetworkRows, rules = prepareRules(rows.rules, rows.vpc.name)): Network {
  const subnets = rows.subnets.map((row) => ({
    id: row.id,
    name: row.name,
    blocks: [row.ipv4_block, row.ipv6_block].map(net),
    customRouterId: row.custom_router_id,
  }))
  const instances = new Map<string, Instance>(
    rows.instances.map(({ id, name }) => [id, { id, name, interfaces: [], externalIps: [] }]),
  )
  const subnetById = new Map(subnets.map((subnet) => [subnet.id, subnet]))
  const byAddress = new Map<bigint, Interface>()
  for (const row of rows.interfaces) {
    const [subnet, instance] = [subnetById.get(row.subnet_id), instances.get(row.instance_id)]
    if (!subnet || !instance) continue
    const { id, name, is_primary: isPrimary } = row
    const addresses = addressesOf(row).map(ip)
    const one = { id, name, addresses, subnet, instance, isPrimary, transit: row.transit_ips.map(net) }
    instance.interfaces.push(one)
    for (const { value } of addresses) byAddress.set(value, one)
  }
  const owners = new Map<string, Instance>()
  for (const row of rows.externalIps) {
    const instance = row.instance_id === null ? undefined : instances.get(row.instance_id)
    if (!instance) continue
    const { kind, ip_pool_id: poolId, first_port: firstPort, last_port: lastPort } = row
    const external = { kind, ip: ip(row.ip), poolId, firstPort, lastPort }
    instance.externalIps.push(external)
    if (row.kind !== 'snat') owners.set(addressKey(external.ip), instance)
  }
  for (const { interfaces, externalIps } of instances.values()) {
    interfaces.sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
    externalIps.sort(
      (one, other) =>
        kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || (one.ip.value < other.ip.value ? -1 : 1),
    )
  }
  const routed = rows.externalSubnets.flatMap(({ subnet, instance_id }) => {
    const instance = instance_id === null ? undefined : instances.get(instance_id)
    return instance ? [{ block: net(subnet), instance }] : []
  })
  // Addresses of IPv6 in a VPC are larger than any of IPv4.
  const interfaceAt = ({ value }: IpAddress) => byAddress.get(value)
  const gateways = prepareGateways(rows)
  return {
    subnets,
    instances,
    gateways,
    rules,
    routes: prepareRoutes(rows, { subnets, instances: [...instances.values()], gateways, interfaceAt }),
    interfaceAt,
    ownerOf: (address) => owners.get(addressKey(address)),
    routedTo: (address) => routed.find(({ block }) => netContains(block, address))?.instance,
  }
}
