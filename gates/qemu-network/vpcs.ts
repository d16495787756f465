import type {
  ExternalAddress,
  NetworkInterface,
  NetworkRule,
  VpcNetwork,
} from '../../packages/control-plane/src/fleet/networks.ts'

/** VPCs written for a test: one gateway, which carries everything, and subnets by the third octet. */
export function vpcOf(
  id: string,
  generation: number,
  interfaces: readonly NetworkInterface[],
  rules: readonly NetworkRule[],
): VpcNetwork {
  const blocks = [...new Set(interfaces.map(({ subnet_id }) => subnet_id))]
  return {
    id,
    generation,
    vni: 1,
    dns_name: id,
    subnets: blocks.map((block) => ({
      id: block,
      block,
      gateway: block.replace('.0/24', '.1'),
      routes: [
        ...blocks.map((other) => ({ block: other, hop: { type: 'local' } as const })),
        { block: '0.0.0.0/0', hop: { type: 'gateway', gateway_id: 'gateway' } as const },
      ],
    })),
    interfaces,
    rules,
  }
}

let macs = 0

export function guestOf(name: string, ip: string, more: Partial<NetworkInterface> = {}): NetworkInterface {
  return {
    id: `${name}-net0`,
    instance_id: name,
    machine_id: `machine-${name}`,
    subnet_id: ip.replace(/\.\d+$/, '.0/24'),
    hostname: name,
    name,
    mac: `A8:40:25:F0:00:${(++macs).toString(16).padStart(2, '0').toUpperCase()}`,
    ip,
    is_primary: true,
    transit_ips: [],
    external: [],
    ...more,
  }
}

export const carried = (
  kind: ExternalAddress['kind'],
  ip: string,
  [first_port, last_port] = [0, 65_535],
): ExternalAddress => ({
  kind,
  ip,
  first_port: first_port ?? 0,
  last_port: last_port ?? 0,
  gateway_ids: ['gateway'],
})

/** Allows what the filters match at these guests. */
export const allow = (
  guests: readonly NetworkInterface[],
  filters: Pick<NetworkRule, 'hosts' | 'ports' | 'protocols'> = {},
  more: Partial<NetworkRule> = {},
): NetworkRule => ({
  direction: 'inbound',
  action: 'allow',
  interface_ids: guests.map(({ id }) => id),
  ...filters,
  ...more,
})

export const port = (...ports: number[]) => ({ ports: ports.map((first) => ({ first, last: first })) })
