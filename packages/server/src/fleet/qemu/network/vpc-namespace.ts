import { hostCommand } from '../host/host-command.ts'
import type { LinkCounters } from './machine-networks.ts'
import type { HostAccess } from './host-access.ts'
import { ipBatch, type IpLink, ipList, type IpRule, setKernel } from './ip.ts'
import { hostMac } from './names.ts'
import { ipTable, setRules } from './nft.ts'
import { address, aliasOf, hostAddress, readAlias, type Tap, type TapAlias, tapsOf, UPLINK } from './plan.ts'
import type { VpcRecord } from './vpc-record.ts'
import {
  GATEWAY,
  GENERATION_TABLE,
  KIND,
  LOCAL,
  readGeneration,
  type HostAddresses,
  TABLE,
  vpcRules,
} from './vpc-rules.ts'

/** The table that leads out of the VPC, and the first of those that lead to an interface. */
const OUT_TABLE = 100
const FIRST_TABLE = 1000
const TABLE_PRIORITY = 102

/** Routes marked packets by their mark, and drops those without a route. */
const marked: readonly (readonly [priority: number, rule: string])[] = [
  [100, `fwmark ${LOCAL}/${KIND} lookup main suppress_prefixlength 0`],
  [101, `fwmark ${GATEWAY}/${KIND} lookup ${OUT_TABLE}`],
  [200, `not fwmark 0/${KIND} blackhole`],
]

/** Inherited by taps: the namespace answers for every address, and only the rules decide about packets. */
const kernel = {
  'ipv4/ip_forward': '1',
  ...Object.fromEntries(
    ['all', 'default'].flatMap((device) => [
      [`ipv4/conf/${device}/rp_filter`, '0'],
      [`ipv4/conf/${device}/accept_redirects`, '0'],
      [`ipv4/conf/${device}/send_redirects`, '0'],
      [`ipv4/conf/${device}/accept_source_route`, '0'],
      [`ipv6/conf/${device}/disable_ipv6`, '1'],
    ]),
  ),
  'ipv4/conf/default/proxy_arp': '1',
}

/** The network namespace of a VPC, with a routed tap for each interface of a machine. */
export class VpcNamespace {
  /** The words before a command that run it inside. */
  readonly prefix: readonly string[]
  readonly #hasUsers: boolean

  constructor(access: HostAccess, name: string) {
    this.prefix = access.inside(name)
    this.#hasUsers = access.isRoot
  }

  /** The generation that its rules have, if it was ever brought into force. */
  async generation(): Promise<number | undefined> {
    const listed = await ipTable(this.prefix, GENERATION_TABLE)
    return listed === undefined ? undefined : readGeneration(listed)
  }

  /** Configures the kernel and the route to the host, whose link exists; existing rules stay. */
  async configure({ link }: VpcRecord, { base }: HostAddresses): Promise<void> {
    const [rules = []] = await ipList(this.prefix, ['rule show'])
    const existing = new Set((rules as IpRule[]).map(({ priority }) => priority))
    await setKernel(this.prefix, kernel)
    await ipBatch(this.prefix, [
      'link set lo up',
      `addr replace ${address(base, link)}/32 dev ${UPLINK}`,
      `link set ${UPLINK} up`,
      `neigh replace ${hostAddress(base)} lladdr ${hostMac(link)} dev ${UPLINK} nud permanent`,
      ...['main', OUT_TABLE].map(
        (table) => `route replace default via ${hostAddress(base)} dev ${UPLINK} onlink table ${table}`,
      ),
      ...marked
        .filter(([priority]) => !existing.has(priority))
        .map((rule) => `rule add priority ${rule.join(' ')}`),
    ])
  }

  /** Removes its link to the host, if there is one, with both ends. */
  async disconnect(): Promise<void> {
    const [links = []] = await ipList(this.prefix, ['link show'])
    if ((links as IpLink[]).some(({ ifname }) => ifname === UPLINK))
      await ipBatch(this.prefix, [`link del ${UPLINK}`])
  }

  /** Adds the missing routing tables of a record; returns the commands that remove outdated ones. */
  async addRoutes(record: VpcRecord): Promise<string[]> {
    const [links = [], rules = []] = await ipList(this.prefix, ['link show', 'rule show'])
    const existing = tapsAmong(links as IpLink[])
    const tables = (rules as IpRule[])
      .filter(({ priority }) => priority === TABLE_PRIORITY)
      .map(({ fwmark }) => Number(fwmark) - TABLE)
    const wanted = Object.values(record.tables)
    const taps = new Map(tapsOf(record).map((tap) => [tap.name, tap]))
    await ipBatch(this.prefix, [
      ...wanted.filter((table) => !tables.includes(table)).map((table) => `rule add ${ruleOf(table)}`),
      ...[...taps.values()].filter(({ name }) => existing.has(name)).flatMap(leadTo),
    ])
    return [
      // A table without a rule decides nothing; its route goes with the tap.
      ...tables.filter((table) => !wanted.includes(table)).map((table) => `rule del ${ruleOf(table)}`),
      ...[...existing.keys()].filter((name) => !taps.has(name)).map((name) => `link del ${name}`),
    ]
  }

  /** Removes what `addRoutes` returned. */
  removeOutdated = (old: readonly string[]): Promise<void> => ipBatch(this.prefix, old)

  /** Applies the rules of a generation in one transaction. */
  async applyRules(record: VpcRecord, addresses: HostAddresses): Promise<void> {
    await setRules(this.prefix, vpcRules(record, addresses))
  }

  /** Bytes and packets of each tap since its creation, by interface; sent and received as the guest sees them. */
  async counters(): Promise<Map<string, LinkCounters>> {
    const links: unknown = JSON.parse(
      await hostCommand([...this.prefix, 'ip', '-json', '-details', '-statistics', 'link', 'show']),
    )
    return new Map(
      (links as (IpLink & { stats64: Record<'rx' | 'tx', LinkStatistics> })[]).flatMap(
        ({ ifalias, stats64: { rx, tx } }) => {
          const { interface_id } = readAlias(ifalias) ?? {}
          return interface_id === undefined ? [] : [[interface_id, countersOf(rx, tx)] as const]
        },
      ),
    )
  }

  /** Every tap with its alias; undefined for an incomplete one. */
  async taps(): Promise<Map<string, TapAlias | undefined>> {
    const [links = []] = await ipList(this.prefix, ['link show'])
    return tapsAmong(links as IpLink[])
  }

  /** The alias, set last, marks a tap as complete. Without root, its user is the one that creates it. */
  async addTaps(taps: readonly Tap[], uid: number): Promise<void> {
    const users = this.#hasUsers ? ` user ${uid}` : ''
    await ipBatch(
      this.prefix,
      taps.map(({ name }) => `tuntap add dev ${name} mode tap${users}`),
    )
    // By default, the kernel delays a proxy's answers, in case the owner of the address answers.
    await setKernel(
      this.prefix,
      Object.fromEntries(taps.map(({ name }) => [`ipv4/neigh/${name}/proxy_delay`, '0'])),
    )
    await ipBatch(
      this.prefix,
      taps.flatMap((tap) => [...tapLines(tap), `link set ${tap.name} alias "${aliasOf(tap, uid)}"`]),
    )
  }

  async removeTaps(names: readonly string[]): Promise<void> {
    await ipBatch(
      this.prefix,
      names.map((name) => `link del ${name}`),
    )
  }
}

const tapsAmong = (links: readonly IpLink[]): Map<string, TapAlias | undefined> =>
  new Map(
    links
      .filter(({ ifname }) => ifname !== 'lo' && ifname !== UPLINK)
      .map(({ ifname, ifalias }) => [ifname, readAlias(ifalias)]),
  )

interface LinkStatistics {
  bytes: number
  packets: number
  errors: number
  dropped: number
}

const countersOf = (fromGuest: LinkStatistics, toGuest: LinkStatistics): LinkCounters => ({
  bytes_sent: fromGuest.bytes,
  bytes_received: toGuest.bytes,
  packets_sent: fromGuest.packets,
  packets_received: toGuest.packets,
  packets_dropped: fromGuest.dropped + toGuest.dropped,
  errors_sent: fromGuest.errors,
  errors_received: toGuest.errors,
})

const ruleOf = (table: number): string =>
  `priority ${TABLE_PRIORITY} fwmark ${TABLE + table}/${KIND + 0xffff} lookup ${FIRST_TABLE + table}`

/** The router's address in the subnet, and the guest behind the tap with its known MAC. */
const tapLines = (tap: Tap): string[] => {
  const { name, interface: one, subnet } = tap
  return [
    `addr add ${subnet.gateway}/${subnet.block.split('/')[1]} dev ${name} noprefixroute`,
    `link set ${name} up`,
    `neigh replace ${one.ip} lladdr ${one.mac} dev ${name} nud permanent`,
    `route replace ${one.ip}/32 dev ${name}`,
    ...leadTo(tap),
  ]
}

/** The route of a tap's own table: by the guest's address, so that its MAC is used whatever the destination. */
const leadTo = ({ name, interface: { ip }, table }: Tap): string[] =>
  table === undefined
    ? []
    : [`route replace default via ${ip} dev ${name} onlink table ${FIRST_TABLE + table}`]
