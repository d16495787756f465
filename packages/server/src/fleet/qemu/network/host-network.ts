import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { formatIpv4, parseIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { z } from 'zod'
import { readIfThere, writeDurably } from '../host/durable-file.ts'
import { hostCommand, HostCommandFailed } from '../host/host-command.ts'
import { Dnsmasq } from './dnsmasq.ts'
import { forwardedByTag, type Forwarding, readForwarding } from './forwarding.ts'
import type { HostAccess } from './host-access.ts'
import { type HostNames, type HostRules, hostRules, type HostState, LINK_GROUP } from './host-rules.ts'
import { ipAttempts, ipBatch, type IpLink, ipList, type IpRoute, setKernel } from './ip.ts'
import { ALIAS_MAX, aliasOfFolder, hostMac, linkName, linkNumber, tagOfLink, vpcMac } from './names.ts'
import { ipTable, setRules } from './nft.ts'
import { address, hostAddress, reachableAddresses, UPLINK } from './plan.ts'
import { sharesOf, type VpcRecord } from './vpc-record.ts'
import { type Span, spanOf } from './spans.ts'
import type { HostAddresses } from './vpc-rules.ts'

/** Carrier-grade NAT, in whose 64 networks of this width the driver takes a free one for links (RFC 6598). */
const candidates = { first: parseIpv4('100.64.0.0') ?? 0, count: 64, size: 2 ** 16, width: 16 }
/** A wider route leads out of the host; only narrower ones are networks in use. */
const widest = 2 ** 24
/** Not 53, which a resolver that listens on all addresses occupies. */
const RESOLVER_PORT = 3053

interface HostOptions {
  access: HostAccess
  names: HostNames
  folder: string
  /** The installation's folder, written to the host for the cleaning of its leftovers. */
  installation: string
  externalInterface: string | undefined
}

/** All interfaces but the loopback. */
export async function interfacesOf(host: readonly string[]): Promise<string[]> {
  const [links = []] = await ipList(host, ['link show'])
  return (links as IpLink[]).map(({ ifname }) => ifname).filter((name) => name !== 'lo')
}

/** Why external addresses cannot be answered for on this interface of a host that has these. */
export const whyNotExternal = (
  wanted: string | undefined,
  interfaces: readonly string[],
): string | undefined =>
  wanted === undefined || interfaces.includes(wanted)
    ? undefined
    : `The setting fleet.external_interface names ${wanted}, which this host does not have. ` +
      `It has ${interfaces.join(', ') || 'none'}.`

/** The state of the host that a restart needs. */
const savedSchema = z.object({
  base: z.int(),
  /** The external interface, unless none is set or an earlier version wrote this. */
  interface: z.string().optional(),
  /** Addresses that may be answered for on it. */
  proxied: z.array(z.string()),
  /** Interfaces that did not forward packets before, since the host started. */
  forwarded: z.array(z.string()).default([]),
})
type SavedHost = z.infer<typeof savedSchema>

/** The link of a VPC whose record cannot be read. */
interface IgnoredLink {
  name: string
  number: number
  /** Addresses routed to it, of the driver's own block and others. */
  addresses: readonly string[]
}

/** Where packets to an address go. */
interface RouteTarget {
  dev: string
  via?: string
}

const isSameTarget = (one: RouteTarget | undefined, other: RouteTarget | undefined): boolean =>
  one?.dev === other?.dev && one?.via === other?.via

/** What uses an address on this host that a VPC should have: the device of its route. */
export interface AddressHolder {
  device: string
  /** It is an address of the host itself. */
  isHost?: true
}

/** The host's end of all VPCs: links, addresses, translation of shared addresses, and the resolver. */
export class HostNetwork {
  readonly #options: HostOptions
  #saved: SavedHost
  #ignored: readonly IgnoredLink[] = []
  /** The last ones set; unknown at the start, and after a failure. */
  #proxied: ReadonlySet<string> | undefined
  /** The last ones set; unknown at the start, after a failure, and when the host's routes differ. */
  #routes: ReadonlyMap<string, RouteTarget> | undefined
  /** External addresses of VPCs that are already in use on this host. */
  #refused: ReadonlyMap<string, AddressHolder> = new Map()
  /** The last ones applied; empty at the start, and after a failure. */
  #rules = ''
  /** The host forwards packets for others than VPCs too. */
  #isRouter = false
  /** Every interface forwards packets. */
  #isForwarding = false

  private constructor(options: HostOptions, kept: SavedHost) {
    this.#options = options
    this.#saved = kept
  }

  static async open(options: HostOptions): Promise<HostNetwork> {
    await mkdir(options.folder, { recursive: true })
    const kept = await readSaved(savedFile(options))
    const { base, isNew } = await claimBlock(options, kept?.base)
    // A start of the host has reset its kernel, too.
    const side = new HostNetwork(options, {
      proxied: [],
      ...kept,
      forwarded: isNew ? [] : (kept?.forwarded ?? []),
      base,
    })
    await side.#labelDevice()
    await side.#requireInterface()
    await side.#releaseFormerInterface()
    await side.#save()
    await side.repair()
    return side
  }

  /** Labels the installation's device, so that its leftovers are recognized even without its folder. */
  async #labelDevice(): Promise<void> {
    const { access, names, installation } = this.#options
    const alias = aliasOfFolder(installation)
    if (Buffer.byteLength(alias) <= ALIAS_MAX)
      await hostCommand([...access.host, 'ip', 'link', 'set', 'dev', names.sinkDevice, 'alias', alias])
  }

  async #requireInterface(): Promise<void> {
    const { externalInterface, names } = this.#options
    if (externalInterface === undefined) return
    const others = (await this.#interfaces()).filter(
      (name) => name !== names.sinkDevice && !name.startsWith(names.links),
    )
    const why = whyNotExternal(externalInterface, others)
    if (why !== undefined) throw new Error(why)
  }

  /** Stops answering on an interface that the setting no longer names: another one may need the addresses. */
  async #releaseFormerInterface(): Promise<void> {
    const { externalInterface, access } = this.#options
    const { interface: former, proxied } = this.#saved
    if (former !== undefined && former !== externalInterface && (await this.#interfaces()).includes(former)) {
      const answered = await this.#proxiedOn(former)
      await ipBatch(
        access.host,
        proxied.filter((ip) => answered.has(ip)).map((ip) => `neigh del proxy ${ip} dev ${former}`),
      )
    }
    this.#saved = { ...this.#saved, interface: externalInterface }
  }

  /** Addresses that the host answers for on an interface, including those of other installations. */
  async #proxiedOn(name: string): Promise<Set<string>> {
    const [found = []] = await ipList(this.#options.access.host, [`neigh show proxy dev ${name}`])
    return new Set((found as IpRoute[]).map(({ dst }) => dst))
  }

  /**
   * Restores the rules and the resolver. The next `reconcile` then restores forwarding, and routes and proxy entries that
   * were removed, and takes addresses that have been released. Must not run concurrently with `reconcile`.
   */
  async repair(): Promise<void> {
    const { access, names, folder } = this.#options
    // First, since the host forwards packets: a reload of its firewall removes the rules and may let everything pass.
    if (this.#rules !== '' && (await ipTable(access.host, names.table)) === undefined)
      await this.#applyRules(this.#rules)
    const global = await hostCommand([...access.host, 'cat', '/proc/sys/net/ipv4/ip_forward'])
    this.#isRouter = global.trim() === '1'
    this.#isForwarding = false
    if (!(await this.#hasRoutes())) this.#routes = undefined
    if (!(await this.#hasProxyEntries())) this.#proxied = undefined
    if (!access.resolver)
      await new Dnsmasq(folder).run(access, access.host, resolverConfig(hostAddress(this.#saved.base)))
  }

  /** Whether the host's routes are those set last, and no other user of an address has come or gone. */
  async #hasRoutes(): Promise<boolean> {
    if (!this.#routes) return false
    const { own, others } = await this.#existingRoutes()
    const isThere = ([ip, way]: readonly [string, RouteTarget]): boolean => isSameTarget(own.get(ip), way)
    const isTaken = ([ip, holder]: readonly [string, AddressHolder]): boolean =>
      others.get(ip)?.device === holder.device
    return [...this.#routes].every(isThere) && [...this.#refused].every(isTaken)
  }

  async #hasProxyEntries(): Promise<boolean> {
    const { externalInterface } = this.#options
    if (!this.#proxied || externalInterface === undefined) return true
    const answered = await this.#proxiedOn(externalInterface)
    return [...this.#proxied].every((ip) => answered.has(ip))
  }

  #interfaces(): Promise<string[]> {
    return interfacesOf(this.#options.access.host)
  }

  get addresses(): HostAddresses {
    const { base } = this.#saved
    return {
      base,
      dns: this.#options.access.resolver ?? { address: hostAddress(base), port: RESOLVER_PORT },
    }
  }

  linkOf = ({ link }: VpcRecord): string => linkName(this.#options.names, link)

  /** All links of VPCs that exist. */
  async links(): Promise<string[]> {
    return (await this.#interfaces()).filter((name) => name.startsWith(this.#options.names.links))
  }

  /** Connects a namespace that is not configured yet. */
  async connect(record: VpcRecord, namespace: string): Promise<void> {
    const { link } = record
    const name = this.linkOf(record)
    const own = address(this.#saved.base, link)
    const { host } = this.#options.access
    await ipBatch(host, [
      `link add ${name} address ${hostMac(link)} type veth peer name ${UPLINK} address ${vpcMac(link)} netns ${namespace}`,
      `link set ${name} group ${LINK_GROUP} addrgenmode none`,
      `link set ${name} up`,
      `neigh replace ${own} lladdr ${vpcMac(link)} dev ${name} nud permanent`,
    ])
    await setKernel(host, Object.fromEntries([forwarding(name)]))
  }

  /** Removes existing links. */
  async disconnect(links: readonly string[]): Promise<void> {
    await ipBatch(
      this.#options.access.host,
      links.map((name) => `link del ${name}`),
    )
  }

  /**
   * Leaves exactly these links of unknown VPCs unchanged, with their routes. Returns the numbers of the links and of
   * their addresses.
   */
  async ignore(links: readonly string[]): Promise<number[]> {
    const { base } = this.#saved
    const routes = links.length === 0 ? [] : [...(await this.#existingRoutes()).own]
    this.#ignored = links.map((name) => ({
      name,
      number: linkNumber(this.#options.names, name),
      addresses: routes.filter(([, { dev }]) => dev === name).map(([ip]) => ip),
    }))
    return this.#ignored.flatMap(({ number, addresses }) => [
      number,
      ...addresses.filter((ip) => isInBlock(base, ip)).map((ip) => (parseIpv4(ip) ?? base) - base),
    ])
  }

  /**
   * Brings the host in line with these VPCs, whose links exist. Of two with the same external address, the later one
   * gets it; an address that is already in use on this host is refused.
   */
  async reconcile(records: Iterable<VpcRecord>): Promise<void> {
    const all = hostStateOf([...records], this.#ignored, this.#saved.base, this.linkOf)
    await this.#reconcileRoutes(all)
    const external = new Map([...all.external].filter(([ip]) => !this.#refused.has(ip)))
    const state: HostState = { ...all, external, refused: [...this.#refused.keys()] }
    await this.#reconcileProxy([...external.keys(), ...[...state.shares.values()].map(({ ip }) => ip)])
    const mustForward = !this.#isRouter && !this.#isForwarding
    if (mustForward) await this.#saveForwarding(await readForwarding(this.#options.access.host))
    const rules = hostRules(state, this.#hostRules())
    if (rules !== this.#rules) await this.#applyRules(rules)
    if (mustForward) await this.#enableForwarding()
  }

  /** External addresses of VPCs that were already in use on this host at the last `reconcile`. */
  get refused(): ReadonlyMap<string, AddressHolder> {
    return this.#refused
  }

  async #applyRules(rules: string): Promise<void> {
    this.#rules = ''
    await setRules(this.#options.access.host, rules)
    this.#rules = rules
  }

  /**
   * Saves the interfaces that are changed next and those that other installations have changed: the last installation
   * to leave restores them. A process that was killed may have changed fewer.
   */
  async #saveForwarding({ on, off }: Forwarding): Promise<void> {
    const { access } = this.#options
    const known = new Set(this.#saved.forwarded)
    const isOthers = (name: string): boolean => tagOfLink(name) === undefined && !known.has(name)
    const before = off.filter(isOthers)
    const unsure = on.filter(isOthers)
    if (unsure.length > 0) {
      const changed = new Set([...(await forwardedByTag(access.host)).values()].flat())
      before.push(...unsure.filter((name) => changed.has(name)))
    }
    if (before.length === 0) return
    this.#saved = { ...this.#saved, forwarded: [...known, ...before].sort() }
    await this.#save()
  }

  /** Turns the host into a router. The rules, already in force, restrict that to VPCs. */
  async #enableForwarding(): Promise<void> {
    const { host } = this.#options.access
    await setKernel(host, Object.fromEntries((await this.#interfaces()).map(forwarding)))
    this.#isForwarding = true
  }

  #hostRules(): HostRules {
    const { names, externalInterface, access } = this.#options
    const { forwarded } = this.#saved
    const hidden = access.hidden()
    return { ...this.addresses, names, externalInterface, hidden, isRouter: this.#isRouter, forwarded }
  }

  async #reconcileRoutes({ links, external, shares }: HostState): Promise<void> {
    const { host } = this.#options.access
    const { sinkDevice } = this.#options.names
    const wanted = new Map<string, RouteTarget>()
    for (const { ip } of shares.values()) wanted.set(ip, { dev: sinkDevice })
    for (const { name, address } of links) wanted.set(address, { dev: name })
    for (const [ip, { link, via }] of [...external, ...shares]) wanted.set(ip, { dev: link, via })
    const isSame = (ip: string, other: RouteTarget | undefined): boolean =>
      isSameTarget(wanted.get(ip), other)
    const known = this.#routes
    const isKnown = (ip: string): boolean => this.#refused.has(ip) || isSame(ip, known?.get(ip))
    const isOut = (ip: string): boolean => !wanted.has(ip)
    if (known && [...wanted.keys(), ...known.keys()].every(isKnown) && ![...this.#refused.keys()].some(isOut))
      return

    const { own: existing, others } = await this.#existingRoutes()
    const left = new Set(this.#ignored.map(({ name }) => name))
    const isOver = ([ip, { dev }]: [string, RouteTarget]): boolean => !wanted.has(ip) && !left.has(dev)
    const lineOf = ([ip, way]: [string, RouteTarget]): string => `${ip} ${this.#routeArguments(way)}`
    const missing = [...wanted].filter(([ip, way]) => !isSameTarget(existing.get(ip), way))
    this.#routes = undefined
    await ipBatch(host, [
      ...missing.filter(([ip]) => existing.has(ip)).map((one) => `route replace ${lineOf(one)}`),
      ...[...existing].filter(isOver).map(([ip, { dev }]) => `route del ${ip} dev ${dev}`),
    ])
    // The kernel refuses to add a second route to an address: of two installations, one gets it.
    const added = missing.filter(([ip]) => !existing.has(ip) && !others.has(ip))
    await ipAttempts(
      host,
      added.map((one) => `route add ${lineOf(one)}`),
    )
    const after = added.length > 0 ? await this.#existingRoutes() : { own: existing, others }
    const failed = added.find(([ip]) => !after.own.has(ip) && !after.others.has(ip))
    if (failed) throw new HostCommandFailed(`the host did not take the route ${lineOf(failed)}`)
    this.#refused = new Map(
      [...wanted.keys()].flatMap((ip) => {
        const holder = after.others.get(ip)
        // The kernel consults its local table first.
        return holder && (holder.isHost || !after.own.has(ip)) ? [[ip, holder] as const] : []
      }),
    )
    this.#routes = new Map([...wanted].filter(([ip]) => !this.#refused.has(ip)))
  }

  #routeArguments({ dev, via }: RouteTarget): string {
    if (dev === this.#options.names.sinkDevice) return `dev ${dev}`
    const source = `src ${hostAddress(this.#saved.base)}`
    return via === undefined ? `dev ${dev} ${source}` : `via ${via} dev ${dev} onlink ${source}`
  }

  /** Addresses routed to links or the sink device of this installation, and those in use otherwise on this host. */
  async #existingRoutes(): Promise<{ own: Map<string, RouteTarget>; others: Map<string, AddressHolder> }> {
    const { links, sinkDevice } = this.#options.names
    const [routes = [], local = []] = await ipList(this.#options.access.host, [
      'route show table main',
      'route show table local type local',
    ])
    const hosts = (list: readonly unknown[]): IpRoute[] =>
      (list as IpRoute[]).filter(({ dst }) => !dst.includes('/'))
    const isOwn = ({ dev = '' }: IpRoute): boolean => dev.startsWith(links) || dev === sinkDevice
    return {
      own: new Map(
        hosts(routes)
          .filter(isOwn)
          .map(({ dst, dev = '', gateway }) => [
            dst,
            gateway === undefined ? { dev } : { dev, via: gateway },
          ]),
      ),
      others: new Map([
        ...hosts(routes)
          .filter((route) => !isOwn(route))
          .map(({ dst, dev = '' }): [string, AddressHolder] => [dst, { device: dev }]),
        ...hosts(local)
          .filter((route) => !isOwn(route))
          .map(({ dst, dev = '' }): [string, AddressHolder] => [dst, { device: dev, isHost: true }]),
      ]),
    }
  }

  /** Answers for addresses on the external interface. All possible ones are saved first. */
  async #reconcileProxy(addresses: readonly string[]): Promise<void> {
    const { externalInterface, access } = this.#options
    const known = new Set(this.#saved.proxied)
    // Some of them may belong to an ignored link.
    const all = this.#ignored.length > 0 ? [...addresses, ...known] : addresses
    const wanted = new Set(externalInterface === undefined ? [] : all)
    const done = this.#proxied
    if (done && wanted.size === done.size && [...wanted].every((ip) => done.has(ip))) return
    this.#proxied = undefined
    this.#saved = { ...this.#saved, proxied: [...new Set([...known, ...wanted])] }
    await this.#save()
    if (externalInterface !== undefined) {
      // A killed process may have saved addresses without answering for them.
      const answered = await this.#proxiedOn(externalInterface)
      // Another installation that uses an address also answers for it.
      const over = [...known].filter((ip) => answered.has(ip) && !wanted.has(ip) && !this.#refused.has(ip))
      await ipBatch(access.host, [
        ...[...wanted].map((ip) => `neigh replace proxy ${ip} dev ${externalInterface}`),
        ...over.map((ip) => `neigh del proxy ${ip} dev ${externalInterface}`),
      ])
    }
    this.#saved = { ...this.#saved, proxied: [...wanted] }
    await this.#save()
    this.#proxied = wanted
  }

  async #save(): Promise<void> {
    await writeDurably(savedFile(this.#options), JSON.stringify(this.#saved))
  }
}

const forwarding = (name: string) => [`ipv4/conf/${name}/forwarding`, '1'] as const

const savedFile = ({ folder }: Pick<HostOptions, 'folder'>): string => path.join(folder, 'host.json')

/** What an installation has saved about the host, in this folder. */
export const savedOnHost = (folder: string): Promise<SavedHost | undefined> =>
  readSaved(savedFile({ folder }))

async function readSaved(file: string): Promise<SavedHost | undefined> {
  const text = await readIfThere(file)
  try {
    return text === undefined ? undefined : savedSchema.parse(JSON.parse(text))
  } catch (cause) {
    // Without it the addresses that the host answers for are unknown, and it would answer for them for ever.
    throw new Error(
      `${file} is damaged. Restore it; or shut the machines down, remove what it is about by \`gantry fleet clean\`, ` +
        'and then the file.',
      { cause },
    )
  }
}

/**
 * The block of this installation. Its device has the host's own address, and receives packets to unused addresses. The
 * route reserves the block, because adding an existing route fails.
 */
async function claimBlock(
  { access: { host }, names: { sinkDevice } }: HostOptions,
  before: number | undefined,
): Promise<{ base: number; isNew: boolean }> {
  const [links = [], routes = [], addresses = []] = await ipList(host, [
    'link show',
    'route show table all',
    'addr show',
  ])
  const has = (links as IpLink[]).some(({ ifname }) => ifname === sinkDevice)
  const own = (routes as IpRoute[]).find(
    ({ dst, dev }) => dev === sinkDevice && dst.endsWith(`/${candidates.width}`),
  )
  const address = (base: number): string => `addr replace ${hostAddress(base)}/32 dev ${sinkDevice}`
  if (has && own) {
    const { first } = spanOf(own.dst)
    await ipBatch(host, [address(first)])
    return { base: first, isNew: false }
  }
  await ipBatch(host, [
    ...(has ? [`link del ${sinkDevice}`] : []),
    `tuntap add dev ${sinkDevice} mode tun`,
    `link set ${sinkDevice} up`,
  ])

  const used = [
    ...(routes as IpRoute[])
      .filter(({ dst, dev }) => dev !== sinkDevice && /^[\d./]+$/.test(dst))
      .map(({ dst }) => spanOf(dst)),
    ...(addresses as { addr_info?: { family?: string; local?: string; prefixlen?: number }[] }[]).flatMap(
      ({ addr_info = [] }) =>
        addr_info
          .filter(({ family }) => family === 'inet')
          .map(({ local, prefixlen }) => spanOf(`${local}/${prefixlen}`)),
    ),
  ].filter(({ first, last }) => last - first < widest)
  for (const base of candidateBases(before)) {
    const block = { first: base, last: base + candidates.size - 1 }
    if (used.some((span) => overlap(span, block))) continue
    try {
      await ipBatch(host, [
        `route add ${formatIpv4(base)}/${candidates.width} dev ${sinkDevice}`,
        address(base),
      ])
      return { base, isNew: !has }
    } catch (error) {
      if (!(error instanceof HostCommandFailed) || !error.message.includes('File exists')) throw error
    }
  }
  throw new HostCommandFailed(
    'Every network of 100.64.0.0/10 is used on this host, and VPCs need one of them. What installations that are gone ' +
      'have left goes by `gantry fleet clean`.',
  )
}

function candidateBases(before: number | undefined): number[] {
  const all = Array.from({ length: candidates.count }, (_, n) => candidates.first + n * candidates.size)
  return before === undefined ? all : [before, ...all.filter((base) => base !== before)]
}

/** Whether an address is in the driver's own block. */
const isInBlock = (base: number, ip: string): boolean => {
  const number = parseIpv4(ip) ?? 0
  return number >= base && number < base + candidates.size
}

const overlap = (one: Span, other: Span): boolean => one.first <= other.last && other.first <= one.last

/** Forwards to the host's current resolvers, including those on its loopback. */
const resolverConfig = (own: string): string => `no-hosts
port=${RESOLVER_PORT}
listen-address=${own}
bind-interfaces
cache-size=1000
`

/** The host's state for these VPCs together. */
function hostStateOf(
  records: readonly VpcRecord[],
  left: readonly IgnoredLink[],
  base: number,
  linkOf: (record: VpcRecord) => string,
): HostState {
  const links = new Map<string, HostState['links'][number]>()
  const external = new Map<string, { link: string; via: string }>()
  const shares = new Map<string, HostShare>()
  for (const { name, number, addresses } of left) {
    const via = address(base, number)
    links.set(name, { name, address: via, mac: vpcMac(number) })
    for (const ip of addresses) if (!isInBlock(base, ip)) external.set(ip, { link: name, via })
  }
  for (const record of records) {
    const [name, via] = [linkOf(record), address(base, record.link)]
    links.set(name, { name, address: via, mac: vpcMac(record.link) })
    for (const ip of reachableAddresses(record)) external.set(ip, { link: name, via })
    for (const {
      key,
      external: { ip, first_port, last_port },
    } of sharesOf(record.network)) {
      const number = record.transit[key]
      if (number !== undefined)
        shares.set(address(base, number), { link: name, via, ip, first_port, last_port })
    }
  }
  return { links: [...links.values()], external, shares, refused: [] }
}

type HostShare = HostState['shares'] extends ReadonlyMap<string, infer Share> ? Share : never
