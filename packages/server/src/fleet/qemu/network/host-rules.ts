import { named, type HostAddresses } from './vpc-rules.ts'

/** The VPCs as the host sees them. */
export interface HostState {
  /** VPCs with an address of their own on the link. */
  links: readonly { name: string; address: string; mac: string }[]
  /** Floating and ephemeral addresses, with their link. */
  external: ReadonlyMap<string, { link: string; via: string }>
  /** Addresses that represent a part of a shared one, with their link. */
  shares: ReadonlyMap<
    string,
    { link: string; via: string; ip: string; first_port: number; last_port: number }
  >
  /** External addresses of VPCs that are already in use on this host. */
  refused: readonly string[]
}

/** The set in an installation's table of the interfaces on which it enabled forwarding. */
export const FORWARDED_SET = 'forwarded'

/** The device group of the links of all installations on a host. */
export const LINK_GROUP = 26_478

export interface HostNames {
  table: string
  /** The prefix of the names of all links. */
  links: string
  /** The device that receives packets to unused addresses of the driver's own block. */
  sinkDevice: string
}

export interface HostRules extends HostAddresses {
  names: HostNames
  /** The interface on which external addresses are answered and not translated. */
  externalInterface: string | undefined
  /** The host also forwards other packets, which the rules do not affect. */
  isRouter: boolean
  /** Addresses of the host that its network namespace does not have, as for an ordinary user. */
  hidden: readonly string[]
  /** Interfaces that did not forward packets before; the last installation to leave restores them. */
  forwarded: readonly string[]
}

/**
 * The host's rules for packets that leave or enter VPCs, as one transaction of nftables: shared addresses are
 * translated, and VPCs reach each other only at external addresses, and of the host only its resolver.
 */
export function hostRules({ links, external, shares, refused }: HostState, rules: HostRules): string {
  const { names, externalInterface, dns } = rules
  const shared = [...shares].map(([transit, { ip, first_port, last_port }]) => ({
    transit,
    ip,
    // No packet has port 0.
    ports: `${Math.max(first_port, 1)}-${last_port}`,
  }))
  const toResolver = `ip saddr @links ip daddr ${dns.address} meta l4proto { tcp, udp } th dport ${dns.port}`
  return `table ip ${names.table}
delete table ip ${names.table}
table ip ${names.table} {
${named(
  'set',
  'links',
  'ipv4_addr',
  links.map((link) => link.address),
)}
${named('set', 'reachable', 'ipv4_addr', [...external.keys()])}
${named(
  'set',
  'shared',
  'ipv4_addr',
  shared.map(({ ip }) => ip),
)}
${named(
  'map',
  'shares',
  'ipv4_addr : ipv4_addr',
  shared.map(({ transit, ip }) => `${transit} : ${ip}`),
)}
${named(
  'map',
  'share_ports',
  'ipv4_addr : interval ipv4_addr . inet_service',
  shared.map(({ transit, ip, ports }) => `${transit} : ${ip} . ${ports}`),
)}
${named('set', 'hidden', 'ipv4_addr', rules.hidden)}
${named('set', 'refused', 'ipv4_addr', refused)}
${named(
  'set',
  FORWARDED_SET,
  'ifname',
  rules.forwarded.map((name) => `"${name}"`),
)}
  chain input {
    type filter hook input priority filter - 5; policy accept
    iifname != "${names.links}*" accept
    ct state established,related accept
    ${toResolver} accept
    drop
  }
  chain from_vpc {
    ${toResolver} accept
    # What only this host may talk to: its neighbours by link, as a cloud's metadata service, and itself.
    ip daddr { 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/4 } drop
    ip daddr @hidden drop
    ip daddr @shared drop
    # The replies would reach whoever uses the address.
    ip saddr @refused drop
  }
  chain others {
    # Another installation on this host decides about its own links.
    meta iifgroup ${LINK_GROUP} accept
    meta oifgroup ${LINK_GROUP} accept
    drop
  }
  chain forward {
    type filter hook forward priority filter - 5; policy accept
    iifname != "${names.links}*" oifname != "${names.links}*" ${rules.isRouter ? 'accept' : 'goto others'}
    tcp flags & (syn | rst) == syn tcp option maxseg size set rt mtu
    ct state established,related accept
    iifname "${names.links}*" jump from_vpc
    oifname != "${names.links}*" accept
    ${externalInterface ? `iifname "${externalInterface}" ip daddr @reachable accept` : ''}
    iifname "${names.links}*" ip daddr @reachable accept
    drop
  }
  chain output {
    type filter hook output priority filter - 5; policy accept
    # Between VPCs there is no shorter way.
    oifname "${names.links}*" icmp type redirect drop
  }
  chain share {
    meta l4proto { tcp, udp } snat ip to ip saddr map @share_ports
    snat to ip saddr map @shares
  }
  chain postrouting {
    type nat hook postrouting priority srcnat - 5; policy accept
    iifname != "${names.links}*" accept
    oifname "${names.links}*" goto share
    ${externalInterface ? `oifname "${externalInterface}" goto share` : ''}
    masquerade
  }
}
`
}
