import type { VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { type Northbound, OUTSIDE, outsidePort, routerPort } from './northbound.ts'
import { type Atom, map, type Operation, set, type Value } from './ovsdb.ts'

/** The address of the VPC's router outside, and the router there. */
export const uplink = {
  ip: OUTSIDE,
  length: 24,
  mac: '0a:67:01:00:00:01',
  next: '192.0.2.254',
  nextMac: '02:00:00:00:00:fe',
}

/** Rows of these are found by their names. */
export const namedTables = [
  'Logical_Switch',
  'Logical_Router',
  'Logical_Switch_Port',
  'Logical_Router_Port',
  'Port_Group',
] as const

/**
 * Brings a VPC into the database in one transaction. `known` has the rows that it has there, by table and name: they are
 * updated, so that the connections of their ports survive.
 */
export function operationsOf(
  network: VpcNetwork,
  { switches, ports, acls, policies, translations, reachable }: Northbound,
  known: ReadonlyMap<string, Atom>,
): Operation[] {
  const operations: Operation[] = []
  const own = map({ vpc: network.id })
  let names = 0
  function write(table: string, row: Record<string, Value>): Atom {
    const uuid = known.get(`${table} ${String(row['name'])}`)
    if (uuid) {
      operations.push({ op: 'update', table, where: [['_uuid', '==', uuid]], row })
      return uuid
    }
    const name = `row${(names += 1)}`
    operations.push({ op: 'insert', table, row, 'uuid-name': name })
    return ['named-uuid', name]
  }
  const rules = acls.map((acl) => write('ACL', { ...acl }))
  const written = ports.map(({ name, subnetId, mac, addresses, ip }) => ({
    subnetId,
    port: write('Logical_Switch_Port', {
      name,
      external_ids: own,
      addresses: `${mac} ${ip}`,
      port_security: `${mac} ${addresses.join(' ')}`,
    }),
  }))
  write('Port_Group', {
    name: `vpc_${network.id.replaceAll('-', '_')}`,
    external_ids: own,
    ports: set(written.map(({ port }) => port)),
    acls: set(rules),
  })
  const joint = (name: string): Atom =>
    write('Logical_Switch_Port', {
      name: `to-${name}`,
      external_ids: own,
      type: 'router',
      addresses: 'router',
      options: map({ 'router-port': name }),
    })
  for (const { name, subnet } of switches)
    write('Logical_Switch', {
      name,
      external_ids: own,
      ports: set([
        joint(routerPort(name)),
        ...written.flatMap((one) => (one.subnetId === subnet.id ? [one.port] : [])),
      ]),
    })
  const outside = outsidePort(network.id)
  const local = `outside-${network.id}`
  const fromOutside = [
    {
      action: 'allow-stateless',
      priority: 2,
      match: `inport == "${local}" && ip4.dst == {${[uplink.ip, ...reachable].join(', ')}}`,
    },
    { action: 'drop', priority: 1, match: `inport == "${local}" && ip4` },
  ].map((rule) => write('ACL', { ...rule, direction: 'from-lport' }))
  write('Logical_Switch', {
    name: local,
    external_ids: own,
    acls: set(fromOutside),
    ports: set([
      joint(outside),
      write('Logical_Switch_Port', {
        name: local,
        external_ids: own,
        type: 'localnet',
        addresses: 'unknown',
        options: map({ network_name: 'outside' }),
      }),
    ]),
  })
  const peerSets = new Map<string, Atom>()
  const peersOf = (peers: readonly string[]): Atom => {
    const key = peers.join()
    const found =
      peerSets.get(key) ??
      write('Address_Set', {
        name: `vpc_${network.id.replaceAll('-', '_')}_${network.generation}_${peerSets.size}`,
        external_ids: map({ vpc: network.id, generation: String(network.generation) }),
        addresses: set(peers),
      })
    peerSets.set(key, found)
    return found
  }
  // Otherwise the first packets that leave are dropped until the neighbour has answered.
  if (!known.has(`Logical_Router ${network.id}`))
    write('Static_MAC_Binding', { logical_port: outside, ip: uplink.next, mac: uplink.nextMac })
  const gateway = write('Gateway_Chassis', { name: `${outside}-host`, chassis_name: 'host', priority: 1 })
  write('Logical_Router', {
    name: network.id,
    external_ids: map({ vpc: network.id, generation: String(network.generation) }),
    ports: set([
      ...switches.map(({ name, subnet, gatewayMac }) =>
        write('Logical_Router_Port', {
          name: routerPort(name),
          external_ids: own,
          mac: gatewayMac,
          networks: `${subnet.gateway}/${subnet.block.split('/')[1]}`,
        }),
      ),
      write('Logical_Router_Port', {
        name: outside,
        external_ids: own,
        mac: uplink.mac,
        networks: `${uplink.ip}/${uplink.length}`,
        gateway_chassis: set([gateway]),
      }),
    ]),
    static_routes: set([
      write('Logical_Router_Static_Route', {
        ip_prefix: '0.0.0.0/0',
        nexthop: uplink.next,
        output_port: outside,
      }),
    ]),
    policies: set(
      policies.map(({ nexthop, ...policy }) =>
        write('Logical_Router_Policy', { ...policy, ...(nexthop && { nexthops: nexthop }) }),
      ),
    ),
    nat: set(
      translations.map(({ type, external, logical, ports, peers }) =>
        write('NAT', {
          type,
          external_ip: external,
          logical_ip: logical,
          allowed_ext_ips: peersOf(peers),
          ...(ports && { external_port_range: ports }),
        }),
      ),
    ),
  })
  return operations
}
