import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '@gantry/control-plane/environment'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import {
  NetworkFailure,
  type Networks,
  type RefusedAddress,
  type VpcNetwork,
} from '@gantry/control-plane/fleet/networks'
import { HOST_FOLDER, machineIds, networksFolder, USER_FOLDER } from '../host/folders.ts'
import { hostCommand } from '../host/host-command.ts'
import { keyedTurns } from '../host/keyed-turns.ts'
import type { LinkCounters, MachineNetworks, NetworkAttachment } from './machine-networks.ts'
import { readVpcRecord, vpcRecords, writeVpcRecord } from './vpc-record-files.ts'
import { dnsmasqConfig } from './dns.ts'
import { Dnsmasq, dnsmasqProcesses } from './dnsmasq.ts'
import { type HostAccess, rootAccess, userAccess } from './host-access.ts'
import { HostNetwork } from './host-network.ts'
import { machineNamespace, namesOf, readNamespace, vpcNamespace } from './names.ts'
import { NumberPool } from './numbers.ts'
import { reachableAddresses, type Tap, type TapAlias, tapsOf } from './plan.ts'
import { refusalOf } from './refusal.ts'
import { endProcesses, type FoundProcess } from './processes.ts'
import { nextRecord, type VpcRecord } from './vpc-record.ts'
import { INTERFACE_NEEDS_ROOT } from './requirements.ts'
import { withTapDevice } from './tap-device.ts'
import { VpcNamespace } from './vpc-namespace.ts'

export interface NetworkOptions {
  /** The driver's folder, with `networks` and `machines`. */
  folder: string
  /** Six characters that name everything of this installation on the host. */
  tag: string
  log: Pick<Log, 'error'>
  /** Where external addresses are answered and not translated; without it, only the host reaches them. */
  externalInterface?: string | undefined
  /** Replaces the host's own network namespace; needs root. */
  hostNamespace?: string
  /** Whether to work without root; by default, if the process does not run as root. */
  asUser?: boolean
}

/** A VPC as this process knows it. */
interface KnownVpc {
  /** The latest record: the state in force, or one that was begun. */
  record: VpcRecord
  inForce?: InForce
}
interface InForce {
  generation: number
  /** Undefined if a process was killed before it had completed the next steps. */
  record: VpcRecord | undefined
  /** Whether guests can get their addresses and resolve names. */
  hasDnsmasq: boolean
  /** When this became known, by `performance.now`. */
  since: number
}

/** What the host has of all VPCs. */
interface HostSnapshot {
  /** When it was taken, by `performance.now`. */
  since: number
  namespaces: ReadonlySet<string>
  links: ReadonlySet<string>
  /** Every dnsmasq, with the id of its VPC. */
  processes: readonly (FoundProcess & { of: string })[]
}

/** Networks of VPCs on this host: a namespace for each, in which every packet between interfaces is routed. */
export class QemuNetworks implements Networks, MachineNetworks {
  readonly hasExternalAddresses: boolean
  readonly #options: NetworkOptions
  readonly #access: HostAccess
  readonly #host: HostNetwork
  /** The VPC that was brought into force last is last. */
  readonly #vpcs = new Map<string, KnownVpc>()
  /** VPCs whose records cannot be read: their parts on the host stay unchanged. */
  readonly #unreadable: Set<string>
  readonly #numbers: NumberPool
  /** Calls for one id are sequential, and so are those for the host. */
  readonly #inTurn = keyedTurns()

  private constructor(
    options: NetworkOptions,
    access: HostAccess,
    host: HostNetwork,
    { records, unreadable }: { records: readonly VpcRecord[]; unreadable: Iterable<string> },
  ) {
    this.#options = options
    this.#access = access
    this.#host = host
    this.#numbers = new NumberPool(records)
    this.#unreadable = new Set(unreadable)
    this.hasExternalAddresses = access.isRoot
    for (const record of records) this.#vpcs.set(record.network.id, { record })
  }

  /** Takes over the networks of an earlier process of this installation, and removes its leftovers. */
  static async open(options: NetworkOptions): Promise<QemuNetworks> {
    const folder = networksFolder(options.folder)
    await mkdir(folder, { recursive: true })
    const asUser = options.asUser ?? process.getuid?.() !== 0
    const { tag, externalInterface, log } = options
    if (asUser && externalInterface !== undefined)
      throw new Error(`${INTERFACE_NEEDS_ROOT} Run the server as root, or remove the setting.`)
    const access = asUser
      ? await userAccess(path.join(folder, USER_FOLDER))
      : rootAccess(options.hostNamespace)
    const names = namesOf(tag)
    const host = await HostNetwork.open({
      access,
      names,
      folder: path.join(folder, HOST_FOLDER),
      installation: path.resolve(options.folder),
      externalInterface,
    })
    const { records, unreadable } = await vpcRecords(folder, new Set([HOST_FOLDER, USER_FOLDER]))
    for (const [vpc, err] of unreadable)
      log.error({ err, vpc, folder }, 'the record of a network cannot be read: the network is left alone')
    const networks = new QemuNetworks(options, access, host, { records, unreadable: unreadable.keys() })
    const snapshot = await networks.#snapshot()
    await networks.#removeLeftovers(snapshot)
    await networks.#refreshAll(snapshot)
    await networks.#reconcileHost()
    return networks
  }

  apply = (network: VpcNetwork): Promise<number> =>
    this.#inTurn([network.id], async () => {
      await this.#retryUnreadable(network.id)
      const known = this.#vpcs.get(network.id)
      const inForce = known?.inForce?.generation
      if (inForce !== undefined && network.generation < inForce) return inForce
      try {
        await this.#bringUp(known, network)
      } catch (cause) {
        throw new NetworkFailure(
          'The host could not bring this state of the network into force.',
          'It is tried again. If this lasts, run `gantry doctor --fleet qemu` on the host, and read its log.',
          { cause },
        )
      }
      return network.generation
    })

  /** A record that could not be read may have been repaired meanwhile. */
  async #retryUnreadable(id: string): Promise<void> {
    if (!this.#unreadable.has(id)) return
    const folder = networksFolder(this.#options.folder)
    try {
      const record = await readVpcRecord(folder, id)
      if (!record) throw new Error('It was removed, which only the next start of the server may find.')
      this.#vpcs.set(id, { record })
    } catch (cause) {
      throw new NetworkFailure(
        'The record of this network on the host cannot be read, so the network stays as it is.',
        `Restore ${path.join(folder, id)}. To begin anew, stop the machines of the VPC, remove that folder, and restart the server.`,
        { cause },
      )
    }
    this.#unreadable.delete(id)
    this.#releaseNumbers()
    await this.#ignoreUnknownLinks(await this.#host.links())
    await this.#refresh(id, await this.#snapshot())
  }

  async #bringUp(known: KnownVpc | undefined, network: VpcNetwork): Promise<void> {
    const { id } = network
    const record = nextRecord(known?.record, network, this.#numbers)
    const inForce = known?.inForce
    await writeVpcRecord(networksFolder(this.#options.folder), record)
    this.#vpcs.delete(id)
    const now: KnownVpc = inForce ? { record, inForce } : { record }
    this.#vpcs.set(id, now)
    const vpc = this.#namespace(id)
    if (!inForce) await this.#ensureNamespace(record)

    // Routes are added before the rules apply, and outdated ones removed afterwards.
    await this.#reconcileHost(record)
    const old = await vpc.addRoutes(record)
    await vpc.applyRules(record, this.#host.addresses)
    now.inForce = { generation: network.generation, record, hasDnsmasq: false, since: performance.now() }
    await vpc.removeOutdated(old)
    await this.#dnsmasq(id).run(this.#access, vpc.prefix, dnsmasqConfig(network, this.#host.addresses))
    now.inForce = { ...now.inForce, hasDnsmasq: true, since: performance.now() }
    await this.#reconcileHost()
    this.#releaseNumbers()
  }

  #releaseNumbers(): void {
    this.#numbers.releaseAllBut(
      [...this.#vpcs.values()].flatMap(({ record, inForce }) => [record, inForce?.record ?? record]),
    )
  }

  async #ensureNamespace(record: VpcRecord): Promise<void> {
    const name = vpcNamespace(this.#options.tag, record.network.id)
    const link = this.#host.linkOf(record)
    const hasLink = (await this.#host.links()).includes(link)
    const hasNamespace = (await this.#namespaces()).includes(name)
    if (!hasNamespace) {
      // The link has lost its other end.
      if (hasLink) await this.#host.disconnect([link])
      await hostCommand([...this.#access.host, 'ip', 'netns', 'add', name])
    }
    if (!hasLink || !hasNamespace) await this.#host.connect(record, name)
    await this.#namespace(record.network.id).configure(record, this.#host.addresses)
  }

  remove = async (vpcIds: readonly string[]): Promise<void> => {
    for (const id of vpcIds)
      await this.#inTurn([id], async () => {
        await this.#removeVpc(id)
        this.#vpcs.delete(id)
        if (this.#unreadable.delete(id)) await this.#ignoreUnknownLinks(await this.#host.links())
        await this.#reconcileHost()
      })
    this.#releaseNumbers()
  }

  /** The folder is removed last: until then, a restart resumes the removal. */
  async #removeVpc(id: string): Promise<void> {
    const known = this.#vpcs.get(id)
    await this.#dnsmasq(id).end()
    const link = known && this.#host.linkOf(known.record)
    if (link !== undefined && (await this.#host.links()).includes(link)) await this.#host.disconnect([link])
    const name = vpcNamespace(this.#options.tag, id)
    // Without a record, only the namespace knows its link. The kernel ends a namespace after `ip` returns.
    if (!known && (await this.#namespaces()).includes(name)) await this.#namespace(id).disconnect()
    await this.#removeNamespace(name)
    await rm(path.join(networksFolder(this.#options.folder), id), { recursive: true, force: true })
  }

  inForce = async (): Promise<Map<string, number>> => {
    await this.#inTurn([HOST_FOLDER], () => this.#host.repair())
    await this.#refreshAll(await this.#snapshot())
    await this.#reconcileHost()
    return new Map(
      [...this.#vpcs].flatMap(([id, { inForce }]) =>
        inForce?.hasDnsmasq ? [[id, inForce.generation] as const] : [],
      ),
    )
  }

  refused = (): ReadonlyMap<string, readonly RefusedAddress[]> => {
    const { refused } = this.#host
    const found = new Map<string, RefusedAddress[]>()
    if (refused.size === 0) return found
    for (const [id, { record }] of this.#vpcs) {
      const list = reachableAddresses(record).flatMap((ip) => {
        const holder = refused.get(ip)
        return holder ? [refusalOf(ip, holder)] : []
      })
      if (list.length > 0) found.set(id, list)
    }
    return found
  }

  /** Reads from the kernel what is in force: a network needs its namespace, link, rules and dnsmasq. */
  async #refreshAll(snapshot: HostSnapshot): Promise<void> {
    for (const id of this.#vpcs.keys()) await this.#inTurn([id], () => this.#refresh(id, snapshot))
  }

  #snapshot = async (): Promise<HostSnapshot> => ({
    since: performance.now(),
    namespaces: new Set(await this.#namespaces()),
    links: new Set(await this.#host.links()),
    processes: await dnsmasqProcesses(networksFolder(this.#options.folder)),
  })

  async #refresh(id: string, { since, namespaces, links, processes }: HostSnapshot): Promise<void> {
    const known = this.#vpcs.get(id)
    if (!known) return
    const { record } = known
    // A newer state came into force while this call waited for its turn.
    if (known.inForce && known.inForce.since > since) return
    const hasParts =
      namespaces.has(vpcNamespace(this.#options.tag, id)) && links.has(this.#host.linkOf(record))
    const generation = hasParts ? await this.#namespace(id).generation() : undefined
    const before = known.inForce
    delete known.inForce
    if (generation === undefined) return
    const ofGeneration = [before?.record, record].find((one) => one?.network.generation === generation)
    const config = ofGeneration && dnsmasqConfig(ofGeneration.network, this.#host.addresses)
    const hasDnsmasq = config !== undefined && this.#dnsmasq(id).isRunningIn(processes, config)
    known.inForce = { generation, record: ofGeneration, hasDnsmasq, since }
  }

  attach = async (spec: MachineSpec, uid: number): Promise<NetworkAttachment> => {
    const vpcIds = [...new Set(spec.interfaces.map(({ vpc_id }) => vpc_id))]
    const [vpcId] = vpcIds
    if (vpcId === undefined) return { prefix: await this.#isolate(spec.id), taps: new Map() }
    if (vpcIds.length > 1) throw new Error('all interfaces of a machine are in one VPC')
    return this.#inTurn([vpcId], async () => {
      const taps = this.#tapsFor(spec, vpcId)
      const vpc = this.#namespace(vpcId)
      const existing = await vpc.taps()
      const missing = taps.filter(({ name }) => existing.get(name)?.uid !== uid)
      await vpc.removeTaps(missing.map(({ name }) => name).filter((name) => existing.has(name)))
      if (missing.length > 0) await vpc.addTaps(missing, uid)
      const device = this.#access.isRoot ? await withTapDevice() : []
      return {
        prefix: [...vpc.prefix, ...device],
        taps: new Map(taps.map((tap) => [tap.interface.id, tap.name])),
      }
    })
  }

  #tapsFor(spec: MachineSpec, vpcId: string): Tap[] {
    const { inForce } = this.#vpcs.get(vpcId) ?? {}
    if (!inForce?.record)
      throw new NetworkFailure(
        'The network of the VPC is not in force on this host yet.',
        'Try again in a moment. The page of the VPC says what holds it up.',
      )
    const own = tapsOf(inForce.record).filter(({ machine_id }) => machine_id === spec.id)
    return spec.interfaces.map(({ id, name }) => {
      const tap = own.find((one) => one.interface.id === id)
      if (tap) return tap
      throw new NetworkFailure(
        `The network that is in force on this host does not have the interface ${name} of this machine yet.`,
        'Try again in a moment. The page of the VPC says what holds it up.',
      )
    })
  }

  async #isolate(machineId: string): Promise<readonly string[]> {
    const name = machineNamespace(this.#options.tag, machineId)
    return this.#inTurn([machineId], async () => {
      if (!(await this.#namespaces()).includes(name))
        await hostCommand([...this.#access.host, 'ip', 'netns', 'add', name])
      return this.#access.inside(name)
    })
  }

  detach = async (machineId: string): Promise<void> => {
    for (const id of this.#vpcs.keys())
      await this.#inTurn([id], async () => {
        const { record } = this.#vpcs.get(id) ?? {}
        if (record) await this.#removeTaps(id, (alias) => alias?.machine_id === machineId)
      })
    await this.#inTurn([machineId], () =>
      this.#removeNamespace(machineNamespace(this.#options.tag, machineId)),
    )
  }

  async #removeTaps(vpcId: string, is: (alias: TapAlias | undefined) => boolean): Promise<void> {
    const vpc = this.#namespace(vpcId)
    const taps = [...(await vpc.taps())].filter(([, alias]) => is(alias))
    await vpc.removeTaps(taps.map(([name]) => name))
  }

  counters = async (interfaceIds: readonly string[]): Promise<Map<string, LinkCounters>> => {
    const wanted = new Set(interfaceIds)
    const found = new Map<string, LinkCounters>()
    for (const [id, { inForce, record }] of this.#vpcs) {
      if (!inForce || !record.network.interfaces.some((one) => wanted.has(one.id))) continue
      for (const [interfaceId, counters] of await this.#namespace(id).counters())
        if (wanted.has(interfaceId)) found.set(interfaceId, counters)
    }
    return found
  }

  /** Removes leftovers of a killed process: of removed VPCs, of machines without a folder, and incomplete taps. */
  async #removeLeftovers({ namespaces, links, processes }: HostSnapshot): Promise<void> {
    const { tag, folder } = this.#options
    const isOurs = (id: string): boolean => this.#vpcs.has(id) || this.#unreadable.has(id)
    await endProcesses(processes.filter(({ of }) => of !== HOST_FOLDER && !isOurs(of)))
    if (this.#unreadable.size > 0) await this.#ignoreUnknownLinks([...links])
    else await this.#host.disconnect(this.#linksWithoutRecord([...links]))
    const machines = await machineIds(folder)
    for (const { kind, id } of [...namespaces].flatMap((name) => readNamespace(tag, name) ?? [])) {
      if (kind === 'v' && !isOurs(id)) await this.#removeNamespace(vpcNamespace(tag, id))
      if (kind === 'm' && !machines.has(id)) await this.#removeNamespace(machineNamespace(tag, id))
      if (kind === 'v' && this.#vpcs.has(id))
        await this.#removeTaps(id, (alias) => !machines.has(alias?.machine_id ?? ''))
    }
  }

  /** The links among these that belong to no known VPC. */
  #linksWithoutRecord(links: readonly string[]): string[] {
    const known = new Set([...this.#vpcs.values()].map(({ record }) => this.#host.linkOf(record)))
    return links.filter((name) => !known.has(name))
  }

  /** A link without a record may belong to a record that cannot be read. */
  async #ignoreUnknownLinks(links: readonly string[]): Promise<void> {
    const left = this.#unreadable.size > 0 ? this.#linksWithoutRecord(links) : []
    this.#numbers.reserve(await this.#host.ignore(left))
  }

  /** Reconciles the host with all VPCs; a VPC that is coming into force counts with both its states. */
  #reconcileHost = (next?: VpcRecord): Promise<void> =>
    this.#inTurn([HOST_FOLDER], async () => {
      const records = [...this.#vpcs.values()].flatMap(({ record, inForce }) =>
        inForce ? [inForce.record ?? record] : [],
      )
      await this.#host.reconcile(next ? [...records, next] : records)
    })

  #namespace = (vpcId: string): VpcNamespace =>
    new VpcNamespace(this.#access, vpcNamespace(this.#options.tag, vpcId))

  #dnsmasq = (vpcId: string): Dnsmasq => new Dnsmasq(path.join(networksFolder(this.#options.folder), vpcId))

  async #namespaces(): Promise<string[]> {
    const listed = await hostCommand([...this.#access.host, 'ip', 'netns', 'list'])
    return listed.split('\n').map((line) => line.split(' ')[0] ?? '')
  }

  async #removeNamespace(name: string): Promise<void> {
    if ((await this.#namespaces()).includes(name))
      await hostCommand([...this.#access.host, 'ip', 'netns', 'del', name])
  }
}
