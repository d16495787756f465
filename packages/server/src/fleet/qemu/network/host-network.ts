import { mkdir } from 'node:fs/promises'
import { parseIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { hostCommand } from '../host/host-command.ts'
import { Dnsmasq } from './dnsmasq.ts'
import type { HostAccess } from './host-access.ts'
import { claimBlock, isInBlock } from './host-block.ts'
import { forwarding, HostForwarding } from './host-forwarding.ts'
import { interfacesOf, whyNotExternal } from './host-interfaces.ts'
import { HostProxy } from './host-proxy.ts'
import { type AddressHolder, HostRoutes } from './host-routes.ts'
import { type HostNames, hostRules, type HostState, LINK_GROUP } from './host-rules.ts'
import { hostStateOf, type IgnoredLink } from './host-state.ts'
import { ipBatch, setKernel } from './ip.ts'
import { ALIAS_MAX, aliasOfFolder, hostMac, linkName, linkNumber, vpcMac } from './names.ts'
import { ipTable, setRules } from './nft.ts'
import { address, hostAddress, UPLINK } from './plan.ts'
import { SavedHost, savedOnHost } from './saved-host.ts'
import type { VpcRecord } from './vpc-record.ts'
import type { HostAddresses } from './vpc-rules.ts'

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

/** The host's end of all VPCs: links, addresses, translation of shared addresses, and the resolver. */
export class HostNetwork {
  readonly #options: HostOptions
  readonly #saved: SavedHost
  readonly #routes: HostRoutes
  readonly #proxy: HostProxy
  readonly #forwarding: HostForwarding
  #ignored: readonly IgnoredLink[] = []
  /** The last ones applied; empty at the start, and after a failure. */
  #rules = ''

  private constructor(options: HostOptions, saved: SavedHost) {
    const { host } = options.access
    this.#options = options
    this.#saved = saved
    this.#routes = new HostRoutes(host, options.names, saved.state.base)
    this.#proxy = new HostProxy(host, options.externalInterface, saved)
    this.#forwarding = new HostForwarding(host, saved)
  }

  static async open(options: HostOptions): Promise<HostNetwork> {
    const { access, names, folder } = options
    await mkdir(folder, { recursive: true })
    const kept = await savedOnHost(folder)
    const { base, isNew } = await claimBlock(access.host, names.sinkDevice, kept?.base)
    // A start of the host has reset its kernel, too.
    const forwarded = isNew ? [] : (kept?.forwarded ?? [])
    const network = new HostNetwork(options, new SavedHost(folder, { proxied: [], ...kept, forwarded, base }))
    await network.#labelDevice()
    await network.#requireInterface()
    await network.#proxy.releaseFormerInterface(await interfacesOf(access.host))
    await network.repair()
    return network
  }

  /** Labels the installation's device, so that its leftovers are recognized even without its folder. */
  async #labelDevice(): Promise<void> {
    const { access, names, installation } = this.#options
    const alias = aliasOfFolder(installation)
    if (Buffer.byteLength(alias) <= ALIAS_MAX)
      await hostCommand([...access.host, 'ip', 'link', 'set', 'dev', names.sinkDevice, 'alias', alias])
  }

  async #requireInterface(): Promise<void> {
    const { access, externalInterface, names } = this.#options
    if (externalInterface === undefined) return
    const others = (await interfacesOf(access.host)).filter(
      (name) => name !== names.sinkDevice && !name.startsWith(names.links),
    )
    const why = whyNotExternal(externalInterface, others)
    if (why !== undefined) throw new Error(why)
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
    await this.#forwarding.check()
    await this.#routes.check()
    await this.#proxy.check()
    if (!access.resolver)
      await new Dnsmasq(folder).run(access, access.host, resolverConfig(hostAddress(this.#saved.state.base)))
  }

  get addresses(): HostAddresses {
    const { base } = this.#saved.state
    return {
      base,
      dns: this.#options.access.resolver ?? { address: hostAddress(base), port: RESOLVER_PORT },
    }
  }

  linkOf = ({ link }: VpcRecord): string => linkName(this.#options.names, link)

  /** All links of VPCs that exist. */
  async links(): Promise<string[]> {
    const { access, names } = this.#options
    return (await interfacesOf(access.host)).filter((name) => name.startsWith(names.links))
  }

  /** Connects a namespace that is not configured yet. */
  async connect(record: VpcRecord, namespace: string): Promise<void> {
    const { link } = record
    const name = this.linkOf(record)
    const own = address(this.#saved.state.base, link)
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
    const { base } = this.#saved.state
    const routes = links.length === 0 ? new Map<string, string[]>() : await this.#routes.addresses()
    this.#ignored = links.map((name) => ({
      name,
      number: linkNumber(this.#options.names, name),
      addresses: routes.get(name) ?? [],
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
    const all = hostStateOf([...records], this.#ignored, this.#saved.state.base, this.linkOf)
    await this.#routes.reconcile(all, new Set(this.#ignored.map(({ name }) => name)))
    const { refused } = this
    const external = new Map([...all.external].filter(([ip]) => !refused.has(ip)))
    await this.#proxy.reconcile([...external.keys(), ...[...all.shares.values()].map(({ ip }) => ip)], {
      refused,
      // Some of them may belong to an ignored link.
      keepsOthers: this.#ignored.length > 0,
    })
    const mustForward = this.#forwarding.isMissing
    if (mustForward) await this.#forwarding.prepare()
    const rules = this.#rulesOf({ ...all, external, refused: [...refused.keys()] })
    if (rules !== this.#rules) await this.#applyRules(rules)
    if (mustForward) await this.#forwarding.enable()
  }

  /** External addresses of VPCs that were already in use on this host at the last `reconcile`. */
  get refused(): ReadonlyMap<string, AddressHolder> {
    return this.#routes.refused
  }

  #rulesOf(state: HostState): string {
    const { names, externalInterface, access } = this.#options
    return hostRules(state, {
      ...this.addresses,
      names,
      externalInterface,
      hidden: access.hidden(),
      isRouter: this.#forwarding.isRouter,
      forwarded: this.#saved.state.forwarded,
    })
  }

  async #applyRules(rules: string): Promise<void> {
    this.#rules = ''
    await setRules(this.#options.access.host, rules)
    this.#rules = rules
  }
}

/** Forwards to the host's current resolvers, including those on its loopback. */
const resolverConfig = (own: string): string => `no-hosts
port=${RESOLVER_PORT}
listen-address=${own}
bind-interfaces
cache-size=1000
`
