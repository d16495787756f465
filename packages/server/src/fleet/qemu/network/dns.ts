import type { NetworkInterface, VpcNetwork } from '@gantry/control-plane/fleet/networks'
import type { HostAddresses } from './vpc-rules.ts'

/**
 * The configuration of dnsmasq in a VPC: it assigns each interface its address by MAC, resolves guests by their hostnames
 * and names, and forwards all other names. A change replaces the process, which takes milliseconds; without files, it
 * needs no rights to any.
 */
export function dnsmasqConfig({ dns_name, subnets, interfaces }: VpcNetwork, { dns }: HostAddresses): string {
  const tags = new Map(subnets.map(({ id }, index) => [id, `s${index}`]))
  const lines = [
    'no-hosts',
    'no-resolv',
    `server=${dns.address}#${dns.port}`,
    'bind-dynamic',
    'interface=t*',
    'except-interface=lo',
    `domain=${dns_name}`,
    `local=/${dns_name}/`,
    'domain-needed',
    'dhcp-authoritative',
    // A unicast reply would need an entry in the neighbour table, which belongs to the driver.
    'dhcp-broadcast',
    'no-ping',
    'leasefile-ro',
    'quiet-dhcp',
    'dhcp-lease-max=100000',
    ...subnets.flatMap(({ block, gateway }, index) => {
      const [network = '', width = ''] = block.split('/')
      const tag = `tag:s${index}`
      return [
        `dhcp-range=set:s${index},${network},static,${maskOf(Number(width))},infinite`,
        `dhcp-option=${tag},option:dns-server,${gateway}`,
        // A guest sends through its primary interface unless another one is in the same subnet.
        `dhcp-option=${tag},tag:primary,option:router,${gateway}`,
        `dhcp-option=${tag},tag:!primary,option:router`,
      ]
    }),
    ...interfaces.map((one) => leaseOf(one, tags.has(one.subnet_id))),
    ...[...guestNames(interfaces)].map(([ip, names]) => recordOf(ip, names, dns_name)),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

const maskOf = (width: number): string =>
  [0, 1, 2, 3].map((octet) => 256 - 2 ** (8 - Math.min(8, Math.max(0, width - 8 * octet)))).join('.')

function leaseOf({ mac, ip, hostname, is_primary }: NetworkInterface, hasSubnet: boolean): string {
  if (!hasSubnet) return ''
  const [label = ''] = hostname.split('.')
  const name = isLabel(label) && !isReserved(label) ? `,${label}` : ''
  return `dhcp-host=${mac.toLowerCase()}${is_primary ? ',set:primary' : ''},${ip}${name},infinite`
}

/**
 * The names of guests by their address: first the hostname, then the name of the instance where it differs. That name
 * was not given for the network, so a hostname of another guest takes precedence, also by its first label alone.
 */
export function guestNames(interfaces: readonly NetworkInterface[]): Map<string, string[]> {
  const primary = interfaces.filter(({ is_primary }) => is_primary)
  const hostnames = new Set(
    primary.flatMap(({ hostname }) => [hostname.toLowerCase(), hostname.toLowerCase().split('.')[0] ?? '']),
  )
  return new Map(
    primary.flatMap((one): [string, string[]][] => {
      const [hostname, name] = [one.hostname.toLowerCase(), one.name.toLowerCase()]
      const names = [
        ...(hostname.split('.').every(isLabel) ? [hostname] : []),
        ...(isLabel(name) && !hostnames.has(name) ? [name] : []),
      ]
      return names.length === 0 ? [] : [[one.ip, names]]
    }),
  )
}

/** Each name in the VPC's domain, and alone where it is one label. The first is the answer for the address. */
function recordOf(ip: string, names: readonly string[], domain: string): string {
  const all = names.flatMap((name) => [
    `${name}.${domain}`,
    ...(isLabel(name) && !isReserved(name) ? [name] : []),
  ])
  return `host-record=${all.join(',')},${ip}`
}

/** The only form that is written into the configuration, whatever the contract allows. */
const isLabel = (label: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)
/** Words with a meaning for dnsmasq, and the name that every guest has for itself. */
const isReserved = (label: string): boolean => /^(?:ignore|infinite|localhost|\d+[smhdw]?)$/i.test(label)
