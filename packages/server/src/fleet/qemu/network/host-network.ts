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
import type { Surroundings } from './vpc-rules.ts'

/** Carrier-grade NAT, in whose 64 networks of this width the driver takes a free one for links (RFC 6598). */
const candidates = { first: parseIpv4('100.64.0.0') ?? 0, count: 64, size: 2 ** 16, width: 16 }
/** A wider route is a way out rather than a network that somebody uses. */
const widest = 2 ** 24
/** Not 53, which a resolver that listens everywhere would have taken. */
const RESOLVER_PORT = 3053

interface HostOptions {
  access: HostAccess
  names: HostNames
  folder: string
  /** Where everything of this installation is kept, for those who find its leftovers. */
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

/** What a restart must know of the host's side. */
const keptSchema = z.object({
  base: z.int(),
  /** The external interface, unless none is set or an earlier version wrote this. */
  interface: z.string().optional(),
  /** Addresses that may be answered for on it. */
  proxied: z.array(z.string()),
  /** Interfaces that did not forward packets before, since the host started. */
  forwarded: z.array(z.string()).default([]),
})
type Kept = z.infer<typeof keptSchema>

/** The link of a VPC that nothing else is known of. */
interface LeftLink {
  name: string
  number: number
  /** Addresses that lead to it, of the driver's own block and others. */
  addresses: readonly string[]
}

/** Where packets to an address go. */
interface Way {
  dev: string
  via?: string
}

const isSameWay = (one: Way | undefined, other: Way | undefined): boolean =>
  one?.dev === other?.dev && one?.via === other?.via

/** Who on this host has an address that a VPC should have: what its route leads to. */
export interface Holder {
  device: string
  /** It is an address of the host itself. */
  isHost?: true
}

/** The side of the host: links, addresses, translation of shared addresses, and the resolver for all VPCs. */
export class HostSide {
  readonly #options: HostOptions
  #kept: Kept
  #left: readonly LeftLink[] = []
  /** As they were set last; unknown at the start, and after a failure. */
  #proxied: ReadonlySet<string> | undefined
  /** As they were set last; unknown at the start, after a failure, and when the host has others. */
  #routes: ReadonlyMap<string, Way> | undefined
  /** External addresses of VPCs that somebody else on this host uses. */
  #refused: ReadonlyMap<string, Holder> = new Map()
  /** As they were set last; empty at the start, and after a failure. */
  #rules = ''
  /** The host forwards packets for others than VPCs too. */
  #isRouter = false
  /** Every interface forwards packets. */
  #isForwarding = false

  private constructor(options: HostOptions, kept: Kept) {
    this.#options = options
    this.#kept = kept
  }

  static async open(options: HostOptions): Promise<HostSide> {
    await mkdir(options.folder, { recursive: true })
    const kept = await readKept(keptFile(options))
    const { base, isNew } = await takeBase(options, kept?.base)
    // A start of the host has reset its kernel, too.
    const side = new HostSide(options, {
      proxied: [],
      ...kept,
      forwarded: isNew ? [] : (kept?.forwarded ?? []),
      base,
    })
    await side.#mark()
    await side.#needInterface()
    await side.#leaveInterface()
    await side.#keep()
    await side.keepUp()
    return side
  }

  /** So that what it leaves can be told from others', even without its folder. */
  async #mark(): Promise<void> {
    const { access, names, installation } = this.#options
    const alias = aliasOfFolder(installation)
    if (Buffer.byteLength(alias) <= ALIAS_MAX)
      await hostCommand([...access.host, 'ip', 'link', 'set', 'dev', names.nobody, 'alias', alias])
  }

  async #needInterface(): Promise<void> {
    const { externalInterface, names } = this.#options
    if (externalInterface === undefined) return
    const others = (await this.#interfaces()).filter(
      (name) => name !== names.nobody && !name.startsWith(names.links),
    )
    const why = whyNotExternal(externalInterface, others)
    if (why !== undefined) throw new Error(why)
  }

  /** Stops answering on an interface that the setting no longer names. The addresses may be needed on another one. */
  async #leaveInterface(): Promise<void> {
    const { externalInterface, access } = this.#options
    const { interface: former, proxied } = this.#kept
    if (former !== undefined && former !== externalInterface && (await this.#interfaces()).includes(former)) {
      const answered = await this.#answeredOn(former)
      await ipBatch(
        access.host,
        proxied.filter((ip) => answered.has(ip)).map((ip) => `neigh del proxy ${ip} dev ${former}`),
      )
    }
    this.#kept = { ...this.#kept, interface: externalInterface }
  }

  /** Addresses that the host answers for on an interface, also those of others. */
  async #answeredOn(name: string): Promise<Set<string>> {
    const [found = []] = await ipList(this.#options.access.host, [`neigh show proxy dev ${name}`])
    return new Set((found as IpRoute[]).map(({ dst }) => dst))
  }

  /**
   * Sees to it that the rules are in force and names are resolved, and that the next call of `serve` lets packets be
   * forwarded, restores routes and answers that others have removed, and takes addresses that others have released. Not
   * at the same time as `serve`.
   */
  async keepUp(): Promise<void> {
    const { access, names, folder } = this.#options
    // First, since the host forwards packets: a reload of its firewall removes the rules, and may let everything pass.
    if (this.#rules !== '' && (await ipTable(access.host, names.table)) === undefined)
      await this.#decide(this.#rules)
    const global = await hostCommand([...access.host, 'cat', '/proc/sys/net/ipv4/ip_forward'])
    this.#isRouter = global.trim() === '1'
    this.#isForwarding = false
    if (!(await this.#hasRoutes())) this.#routes = undefined
    if (!(await this.#hasAnswers())) this.#proxied = undefined
    if (!access.resolver)
      await new Dnsmasq(folder).run(access, access.host, resolverConfig(hostAddress(this.#kept.base)))
  }

  /** Whether the host has the routes that were set last, and nobody took an address or released one. */
  async #hasRoutes(): Promise<boolean> {
    if (!this.#routes) return false
    const { own, others } = await this.#existingRoutes()
    const isThere = ([ip, way]: readonly [string, Way]): boolean => isSameWay(own.get(ip), way)
    const isTaken = ([ip, holder]: readonly [string, Holder]): boolean =>
      others.get(ip)?.device === holder.device
    return [...this.#routes].every(isThere) && [...this.#refused].every(isTaken)
  }

  async #hasAnswers(): Promise<boolean> {
    const { externalInterface } = this.#options
    if (!this.#proxied || externalInterface === undefined) return true
    const answered = await this.#answeredOn(externalInterface)
    return [...this.#proxied].every((ip) => answered.has(ip))
  }

  #interfaces(): Promise<string[]> {
    return interfacesOf(this.#options.access.host)
  }

  get around(): Surroundings {
    const { base } = this.#kept
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

  /** Connects a namespace, in which nothing is set up yet. */
  async connect(record: VpcRecord, namespace: string): Promise<void> {
    const { link } = record
    const name = this.linkOf(record)
    const own = address(this.#kept.base, link)
    const { host } = this.#options.access
    await ipBatch(host, [
      `link add ${name} address ${hostMac(link)} type veth peer name ${UPLINK} address ${vpcMac(link)} netns ${namespace}`,
      `link set ${name} group ${LINK_GROUP} addrgenmode none`,
      `link set ${name} up`,
      `neigh replace ${own} lladdr ${vpcMac(link)} dev ${name} nud permanent`,
    ])
    await setKernel(host, Object.fromEntries([forwarding(name)]))
  }

  /** Removes links, which exist. */
  async disconnect(links: readonly string[]): Promise<void> {
    await ipBatch(
      this.#options.access.host,
      links.map((name) => `link del ${name}`),
    )
  }

  /**
   * Keeps these links and no others of which no VPC is known, with what leads to them. Returns the numbers that they
   * and their addresses have.
   */
  async leaveAlone(links: readonly string[]): Promise<number[]> {
    const { base } = this.#kept
    const routes = links.length === 0 ? [] : [...(await this.#existingRoutes()).own]
    this.#left = links.map((name) => ({
      name,
      number: linkNumber(this.#options.names, name),
      addresses: routes.filter(([, { dev }]) => dev === name).map(([ip]) => ip),
    }))
    return this.#left.flatMap(({ number, addresses }) => [
      number,
      ...addresses.filter((ip) => isOfBlock(base, ip)).map((ip) => (parseIpv4(ip) ?? base) - base),
    ])
  }

  /**
   * Brings the host's side in line with these VPCs, whose links exist. Of two that have the same external address,
   * the later one gets it; one that somebody else on this host uses is refused.
   */
  async serve(records: Iterable<VpcRecord>): Promise<void> {
    const all = stateOf([...records], this.#left, this.#kept.base, this.linkOf)
    await this.#route(all)
    const external = new Map([...all.external].filter(([ip]) => !this.#refused.has(ip)))
    const state: HostState = { ...all, external, refused: [...this.#refused.keys()] }
    await this.#proxy([...external.keys(), ...[...state.shares.values()].map(({ ip }) => ip)])
    const mustForward = !this.#isRouter && !this.#isForwarding
    if (mustForward) await this.#noteForwarding(await readForwarding(this.#options.access.host))
    const rules = hostRules(state, this.#hostRules())
    if (rules !== this.#rules) await this.#decide(rules)
    if (mustForward) await this.#forward()
  }

  /** External addresses of VPCs that somebody else on this host uses, as of the last `serve`. */
  get refused(): ReadonlyMap<string, Holder> {
    return this.#refused
  }

  async #decide(rules: string): Promise<void> {
    this.#rules = ''
    await setRules(this.#options.access.host, rules)
    this.#rules = rules
  }

  /**
   * Writes down what is changed next, and what other installations have changed: whoever goes last restores it. A
   * process that was killed may have changed less.
   */
  async #noteForwarding({ on, off }: Forwarding): Promise<void> {
    const { access } = this.#options
    const known = new Set(this.#kept.forwarded)
    const isOthers = (name: string): boolean => tagOfLink(name) === undefined && !known.has(name)
    const before = off.filter(isOthers)
    const unsure = on.filter(isOthers)
    if (unsure.length > 0) {
      const changed = new Set([...(await forwardedByTag(access.host)).values()].flat())
      before.push(...unsure.filter((name) => changed.has(name)))
    }
    if (before.length === 0) return
    this.#kept = { ...this.#kept, forwarded: [...known, ...before].sort() }
    await this.#keep()
  }

  /** Makes a router of a host that is none, for VPCs only: the rules, which are in force before, see to that. */
  async #forward(): Promise<void> {
    const { host } = this.#options.access
    await setKernel(host, Object.fromEntries((await this.#interfaces()).map(forwarding)))
    this.#isForwarding = true
  }

  #hostRules(): HostRules {
    const { names, externalInterface, access } = this.#options
    const { forwarded } = this.#kept
    const hidden = access.hidden()
    return { ...this.around, names, externalInterface, hidden, isRouter: this.#isRouter, forwarded }
  }

  async #route({ links, external, shares }: HostState): Promise<void> {
    const { host } = this.#options.access
    const { nobody } = this.#options.names
    const wanted = new Map<string, Way>()
    for (const { ip } of shares.values()) wanted.set(ip, { dev: nobody })
    for (const { name, address } of links) wanted.set(address, { dev: name })
    for (const [ip, { link, via }] of [...external, ...shares]) wanted.set(ip, { dev: link, via })
    const isSame = (ip: string, other: Way | undefined): boolean => isSameWay(wanted.get(ip), other)
    const known = this.#routes
    const isKnown = (ip: string): boolean => this.#refused.has(ip) || isSame(ip, known?.get(ip))
    const isOut = (ip: string): boolean => !wanted.has(ip)
    if (known && [...wanted.keys(), ...known.keys()].every(isKnown) && ![...this.#refused.keys()].some(isOut))
      return

    const { own: existing, others } = await this.#existingRoutes()
    const left = new Set(this.#left.map(({ name }) => name))
    const isOver = ([ip, { dev }]: [string, Way]): boolean => !wanted.has(ip) && !left.has(dev)
    const lineOf = ([ip, way]: [string, Way]): string => `${ip} ${this.#wordsOf(way)}`
    const missing = [...wanted].filter(([ip, way]) => !isSameWay(existing.get(ip), way))
    this.#routes = undefined
    await ipBatch(host, [
      ...missing.filter(([ip]) => existing.has(ip)).map((one) => `route replace ${lineOf(one)}`),
      ...[...existing].filter(isOver).map(([ip, { dev }]) => `route del ${ip} dev ${dev}`),
    ])
    // The kernel adds a route only where nobody has one: of two installations, one gets an address.
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
        // Its own table comes first in the kernel.
        return holder && (holder.isHost || !after.own.has(ip)) ? [[ip, holder] as const] : []
      }),
    )
    this.#routes = new Map([...wanted].filter(([ip]) => !this.#refused.has(ip)))
  }

  #wordsOf({ dev, via }: Way): string {
    if (dev === this.#options.names.nobody) return `dev ${dev}`
    const source = `src ${hostAddress(this.#kept.base)}`
    return via === undefined ? `dev ${dev} ${source}` : `via ${via} dev ${dev} onlink ${source}`
  }

  /** Addresses that lead to links of this installation or to nobody, and those that others on this host use. */
  async #existingRoutes(): Promise<{ own: Map<string, Way>; others: Map<string, Holder> }> {
    const { links, nobody } = this.#options.names
    const [routes = [], local = []] = await ipList(this.#options.access.host, [
      'route show table main',
      'route show table local type local',
    ])
    const hosts = (list: readonly unknown[]): IpRoute[] =>
      (list as IpRoute[]).filter(({ dst }) => !dst.includes('/'))
    const isOwn = ({ dev = '' }: IpRoute): boolean => dev.startsWith(links) || dev === nobody
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
          .map(({ dst, dev = '' }): [string, Holder] => [dst, { device: dev }]),
        ...hosts(local)
          .filter((route) => !isOwn(route))
          .map(({ dst, dev = '' }): [string, Holder] => [dst, { device: dev, isHost: true }]),
      ]),
    }
  }

  /** Answers for addresses on the external interface. What might be answered for is written down first. */
  async #proxy(addresses: readonly string[]): Promise<void> {
    const { externalInterface, access } = this.#options
    const known = new Set(this.#kept.proxied)
    // Some of them may be those of a link that is left alone.
    const all = this.#left.length > 0 ? [...addresses, ...known] : addresses
    const wanted = new Set(externalInterface === undefined ? [] : all)
    const done = this.#proxied
    if (done && wanted.size === done.size && [...wanted].every((ip) => done.has(ip))) return
    this.#proxied = undefined
    this.#kept = { ...this.#kept, proxied: [...new Set([...known, ...wanted])] }
    await this.#keep()
    if (externalInterface !== undefined) {
      // What a killed process wrote down may not have been done.
      const answered = await this.#answeredOn(externalInterface)
      // Another installation that uses an address answers for it too.
      const over = [...known].filter((ip) => answered.has(ip) && !wanted.has(ip) && !this.#refused.has(ip))
      await ipBatch(access.host, [
        ...[...wanted].map((ip) => `neigh replace proxy ${ip} dev ${externalInterface}`),
        ...over.map((ip) => `neigh del proxy ${ip} dev ${externalInterface}`),
      ])
    }
    this.#kept = { ...this.#kept, proxied: [...wanted] }
    await this.#keep()
    this.#proxied = wanted
  }

  async #keep(): Promise<void> {
    await writeDurably(keptFile(this.#options), JSON.stringify(this.#kept))
  }
}

const forwarding = (name: string) => [`ipv4/conf/${name}/forwarding`, '1'] as const

const keptFile = ({ folder }: Pick<HostOptions, 'folder'>): string => path.join(folder, 'host.json')

/** What is kept in the folder of the host's side. */
export const keptOnHost = (folder: string): Promise<Kept | undefined> => readKept(keptFile({ folder }))

async function readKept(file: string): Promise<Kept | undefined> {
  const text = await readIfThere(file)
  try {
    return text === undefined ? undefined : keptSchema.parse(JSON.parse(text))
  } catch (cause) {
    // Addresses that the host answers for would not be known any more, and would be answered for ever.
    throw new Error(
      `${file} is damaged. Restore it; or shut the machines down, remove what it is about by \`gantry fleet clean\`, ` +
        'and then the file.',
      { cause },
    )
  }
}

/**
 * The block of this installation, with the host's own address on a device of its own: packets to an address that
 * belongs to nobody end there. The route is what reserves the block, since adding one that exists fails.
 */
async function takeBase(
  { access: { host }, names: { nobody } }: HostOptions,
  before: number | undefined,
): Promise<{ base: number; isNew: boolean }> {
  const [links = [], routes = [], addresses = []] = await ipList(host, [
    'link show',
    'route show table all',
    'addr show',
  ])
  const has = (links as IpLink[]).some(({ ifname }) => ifname === nobody)
  const own = (routes as IpRoute[]).find(
    ({ dst, dev }) => dev === nobody && dst.endsWith(`/${candidates.width}`),
  )
  const address = (base: number): string => `addr replace ${hostAddress(base)}/32 dev ${nobody}`
  if (has && own) {
    const { first } = spanOf(own.dst)
    await ipBatch(host, [address(first)])
    return { base: first, isNew: false }
  }
  await ipBatch(host, [
    ...(has ? [`link del ${nobody}`] : []),
    `tuntap add dev ${nobody} mode tun`,
    `link set ${nobody} up`,
  ])

  const used = [
    ...(routes as IpRoute[])
      .filter(({ dst, dev }) => dev !== nobody && /^[\d./]+$/.test(dst))
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
      await ipBatch(host, [`route add ${formatIpv4(base)}/${candidates.width} dev ${nobody}`, address(base)])
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
const isOfBlock = (base: number, ip: string): boolean => {
  const number = parseIpv4(ip) ?? 0
  return number >= base && number < base + candidates.size
}

const overlap = (one: Span, other: Span): boolean => one.first <= other.last && other.first <= one.last

/** Forwards to the host's own resolvers, whichever they are at the time, also those on its loopback. */
const resolverConfig = (own: string): string => `no-hosts
port=${RESOLVER_PORT}
listen-address=${own}
bind-interfaces
cache-size=1000
`

/** What the host has to know of these VPCs together. */
function stateOf(
  records: readonly VpcRecord[],
  left: readonly LeftLink[],
  base: number,
  linkOf: (record: VpcRecord) => string,
): HostState {
  const links = new Map<string, HostState['links'][number]>()
  const external = new Map<string, { link: string; via: string }>()
  const shares = new Map<string, HostShare>()
  for (const { name, number, addresses } of left) {
    const via = address(base, number)
    links.set(name, { name, address: via, mac: vpcMac(number) })
    for (const ip of addresses) if (!isOfBlock(base, ip)) external.set(ip, { link: name, via })
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
