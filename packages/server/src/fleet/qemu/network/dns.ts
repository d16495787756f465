import type { NetworkInterface, VpcNetwork } from '@gantry/control-plane/fleet/networks'
import type { Surroundings } from './vpc-rules.ts'

/**
 * What dnsmasq is to do in a VPC: give each interface its own address by its MAC, know the guests by their hostnames,
 * and forward all other names. Everything is in the text: a change is another process, which takes milliseconds, and
 * a process without files needs no rights to any.
 */
export function dnsmasqConfig({ dns_name, subnets, interfaces }: VpcNetwork, { dns }: Surroundings): string {
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
    // A unicast reply would need an entry in the table of neighbours, which the driver keeps.
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
    ...interfaces.flatMap((one) => namesOf(one, dns_name)),
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

/** A guest is known by its name in the VPC's domain, and by its name alone where that is one label. */
function namesOf({ hostname, ip, is_primary }: NetworkInterface, domain: string): string[] {
  const labels = hostname.toLowerCase().split('.')
  if (!is_primary || !labels.every(isLabel)) return []
  const alone = labels.length === 1 && !isReserved(hostname) ? `,${hostname.toLowerCase()}` : ''
  return [`host-record=${hostname.toLowerCase()}.${domain}${alone},${ip}`]
}

/** Nothing else goes into a line of the configuration, whatever the contract allows. */
const isLabel = (label: string): boolean => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)
/** Words that dnsmasq would take for something else than a name, and the name that every guest has for itself. */
const isReserved = (label: string): boolean => /^(?:ignore|infinite|localhost|\d+[smhdw]?)$/i.test(label)
