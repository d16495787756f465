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
import type { LinkCounters, MachineNetworks, NetworkEntry } from './machine-networks.ts'
import { readVpcRecord, vpcRecords, writeVpcRecord } from './vpc-record-files.ts'
import { dnsmasqConfig } from './dns.ts'
import { Dnsmasq, dnsmasqsBelow } from './dnsmasq.ts'
import { type HostAccess, rootAccess, userAccess } from './host-access.ts'
import { HostSide } from './host-network.ts'
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
  /** On which external addresses are answered, and not translated; without one they are reachable from the host only. */
  externalInterface?: string | undefined
  /** Takes the place of the host's own network namespace, which needs root. */
  hostNamespace?: string
  /** Whether to work as an ordinary user does; by default, whoever runs the process decides. */
  asUser?: boolean
}

/** A VPC as this process knows it. */
interface Known {
  /** The latest record: what is in force, or what was begun. */
  record: VpcRecord
  inForce?: InForce
}
interface InForce {
  generation: number
  /** Missing if a process was killed before it had completed what follows. */
  record: VpcRecord | undefined
  /** Guests are given their addresses. */
  isServed: boolean
  /** When this became known, by `performance.now`. */
  since: number
}

/** What there is on the host, of all VPCs. */
interface OnHost {
  /** What came later is missing, by `performance.now`. */
  since: number
  namespaces: ReadonlySet<string>
  links: ReadonlySet<string>
  /** Every dnsmasq, with the id of its VPC. */
  processes: readonly (FoundProcess & { of: string })[]
}

/** Networks of VPCs on this host: a namespace for each, in which every packet between interfaces is routed. */
export class HostNetworks implements Networks, MachineNetworks {
  readonly hasExternalAddresses: boolean
  readonly #options: NetworkOptions
  readonly #access: HostAccess
  readonly #host: HostSide
  /** The VPC that was brought into force last is last. */
  readonly #vpcs = new Map<string, Known>()
  /** VPCs whose records cannot be read: what they have on the host is left alone. */
  readonly #unreadable: Set<string>
  readonly #numbers: NumberPool
  /** One call after the other for what has an id, and for the host's side. */
  readonly #inTurn = keyedTurns()

  private constructor(
    options: NetworkOptions,
    access: HostAccess,
    host: HostSide,
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

  /** Finds again what an earlier process of this installation made, and removes what belongs to nobody. */
  static async open(options: NetworkOptions): Promise<HostNetworks> {
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
    const host = await HostSide.open({
      access,
      names,
      folder: path.join(folder, HOST_FOLDER),
      installation: path.resolve(options.folder),
      externalInterface,
    })
    const { records, unreadable } = await vpcRecords(folder, new Set([HOST_FOLDER, USER_FOLDER]))
    for (const [vpc, err] of unreadable)
      log.error({ err, vpc, folder }, 'the record of a network cannot be read: the network is left alone')
    const networks = new HostNetworks(options, access, host, { records, unreadable: unreadable.keys() })
    const onHost = await networks.#onHost()
    await networks.#removeLeftovers(onHost)
    await networks.#lookAtAll(onHost)
    await networks.#serveHost()
    return networks
  }

  apply = (network: VpcNetwork): Promise<number> =>
    this.#inTurn([network.id], async () => {
      await this.#needRecord(network.id)
      const known = this.#vpcs.get(network.id)
      const inForce = known?.inForce?.generation
      if (inForce !== undefined && network.generation < inForce) return inForce
      try {
        await this.#bringIntoForce(known, network)
      } catch (cause) {
        throw new NetworkFailure(
          'The host could not bring this state of the network into force.',
          'It is tried again. If this lasts, run `gantry doctor --fleet qemu` on the host, and read its log.',
          { cause },
        )
      }
      return network.generation
    })

  /** One that could not be read may have been mended, or the reason may be gone. */
  async #needRecord(id: string): Promise<void> {
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
    this.#keepNumbers()
    await this.#leaveAlone(await this.#host.links())
    await this.#look(id, await this.#onHost())
  }

  async #bringIntoForce(known: Known | undefined, network: VpcNetwork): Promise<void> {
    const { id } = network
    const record = nextRecord(known?.record, network, this.#numbers)
    const inForce = known?.inForce
    await writeVpcRecord(networksFolder(this.#options.folder), record)
    this.#vpcs.delete(id)
    const now: Known = inForce ? { record, inForce } : { record }
    this.#vpcs.set(id, now)
    const vpc = this.#namespace(id)
    if (!inForce) await this.#ensureNamespace(record)

    // First what is more, then the decision, then what is less.
    await this.#serveHost(record)
    const old = await vpc.add(record)
    await vpc.decide(record, this.#host.around)
    now.inForce = { generation: network.generation, record, isServed: false, since: performance.now() }
    await vpc.remove(old)
    await this.#dnsmasq(id).run(this.#access, vpc.words, dnsmasqConfig(network, this.#host.around))
    now.inForce = { ...now.inForce, isServed: true, since: performance.now() }
    await this.#serveHost()
    this.#keepNumbers()
  }

  #keepNumbers(): void {
    this.#numbers.keep(
      [...this.#vpcs.values()].flatMap(({ record, inForce }) => [record, inForce?.record ?? record]),
    )
  }

  async #ensureNamespace(record: VpcRecord): Promise<void> {
    const name = vpcNamespace(this.#options.tag, record.network.id)
    const link = this.#host.linkOf(record)
    const hasLink = (await this.#host.links()).includes(link)
    const hasNamespace = (await this.#namespaces()).includes(name)
    if (!hasNamespace) {
      // A link without its other end is of no use.
      if (hasLink) await this.#host.disconnect([link])
      await hostCommand([...this.#access.host, 'ip', 'netns', 'add', name])
    }
    if (!hasLink || !hasNamespace) await this.#host.connect(record, name)
    await this.#namespace(record.network.id).setUp(record, this.#host.around)
  }

  remove = async (vpcIds: readonly string[]): Promise<void> => {
    for (const id of vpcIds)
      await this.#inTurn([id], async () => {
        await this.#removeVpc(id)
        this.#vpcs.delete(id)
        if (this.#unreadable.delete(id)) await this.#leaveAlone(await this.#host.links())
        await this.#serveHost()
      })
    this.#keepNumbers()
  }

  /** The folder goes last: until then, a restart knows that there is something to remove. */
  async #removeVpc(id: string): Promise<void> {
    const known = this.#vpcs.get(id)
    await this.#dnsmasq(id).end()
    const link = known && this.#host.linkOf(known.record)
    if (link !== undefined && (await this.#host.links()).includes(link)) await this.#host.disconnect([link])
    const name = vpcNamespace(this.#options.tag, id)
    // Without a record, only the namespace knows its link. The kernel ends a namespace later than `ip` says.
    if (!known && (await this.#namespaces()).includes(name)) await this.#namespace(id).disconnect()
    await this.#removeNamespace(name)
    await rm(path.join(networksFolder(this.#options.folder), id), { recursive: true, force: true })
  }

  inForce = async (): Promise<Map<string, number>> => {
    await this.#inTurn([HOST_FOLDER], () => this.#host.keepUp())
    await this.#lookAtAll(await this.#onHost())
    await this.#serveHost()
    return new Map(
      [...this.#vpcs].flatMap(([id, { inForce }]) =>
        inForce?.isServed ? [[id, inForce.generation] as const] : [],
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

  /** Asks the kernel what is in force: a network needs its namespace, its link, its rules and its dnsmasq. */
  async #lookAtAll(onHost: OnHost): Promise<void> {
    for (const id of this.#vpcs.keys()) await this.#inTurn([id], () => this.#look(id, onHost))
  }

  #onHost = async (): Promise<OnHost> => ({
    since: performance.now(),
    namespaces: new Set(await this.#namespaces()),
    links: new Set(await this.#host.links()),
    processes: await dnsmasqsBelow(networksFolder(this.#options.folder)),
  })

  async #look(id: string, { since, namespaces, links, processes }: OnHost): Promise<void> {
    const known = this.#vpcs.get(id)
    if (!known) return
    const { record } = known
    // Brought into force while this call waited for its turn.
    if (known.inForce && known.inForce.since > since) return
    const hasParts =
      namespaces.has(vpcNamespace(this.#options.tag, id)) && links.has(this.#host.linkOf(record))
    const generation = hasParts ? await this.#namespace(id).generation() : undefined
    const before = known.inForce
    delete known.inForce
    if (generation === undefined) return
    const ofGeneration = [before?.record, record].find((one) => one?.network.generation === generation)
    const config = ofGeneration && dnsmasqConfig(ofGeneration.network, this.#host.around)
    const isServed = config !== undefined && this.#dnsmasq(id).isRunningIn(processes, config)
    known.inForce = { generation, record: ofGeneration, isServed, since }
  }

  enter = async (spec: MachineSpec, uid: number): Promise<NetworkEntry> => {
    const vpcIds = [...new Set(spec.interfaces.map(({ vpc_id }) => vpc_id))]
    const [vpcId] = vpcIds
    if (vpcId === undefined) return { enter: await this.#enterNothing(spec.id), taps: new Map() }
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
        enter: [...vpc.words, ...device],
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

  async #enterNothing(machineId: string): Promise<readonly string[]> {
    const name = machineNamespace(this.#options.tag, machineId)
    return this.#inTurn([machineId], async () => {
      if (!(await this.#namespaces()).includes(name))
        await hostCommand([...this.#access.host, 'ip', 'netns', 'add', name])
      return this.#access.inside(name)
    })
  }

  leave = async (machineId: string): Promise<void> => {
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

  /** What a process that was killed left behind: of ended VPCs, of machines without a folder, and half-made taps. */
  async #removeLeftovers({ namespaces, links, processes }: OnHost): Promise<void> {
    const { tag, folder } = this.#options
    const isOurs = (id: string): boolean => this.#vpcs.has(id) || this.#unreadable.has(id)
    await endProcesses(processes.filter(({ of }) => of !== HOST_FOLDER && !isOurs(of)))
    if (this.#unreadable.size > 0) await this.#leaveAlone([...links])
    else await this.#host.disconnect(this.#unknown([...links]))
    const machines = await machineIds(folder)
    for (const { kind, id } of [...namespaces].flatMap((name) => readNamespace(tag, name) ?? [])) {
      if (kind === 'v' && !isOurs(id)) await this.#removeNamespace(vpcNamespace(tag, id))
      if (kind === 'm' && !machines.has(id)) await this.#removeNamespace(machineNamespace(tag, id))
      if (kind === 'v' && this.#vpcs.has(id))
        await this.#removeTaps(id, (alias) => !machines.has(alias?.machine_id ?? ''))
    }
  }

  /** Those of these links that no known VPC has. */
  #unknown(links: readonly string[]): string[] {
    const known = new Set([...this.#vpcs.values()].map(({ record }) => this.#host.linkOf(record)))
    return links.filter((name) => !known.has(name))
  }

  /** Of the links that there are, any that no record speaks of may belong to a record that cannot be read. */
  async #leaveAlone(links: readonly string[]): Promise<void> {
    const left = this.#unreadable.size > 0 ? this.#unknown(links) : []
    this.#numbers.reserve(await this.#host.leaveAlone(left))
  }

  /** The host's side for all VPCs, and for one that is being brought into force also for what comes. */
  #serveHost = (next?: VpcRecord): Promise<void> =>
    this.#inTurn([HOST_FOLDER], async () => {
      const records = [...this.#vpcs.values()].flatMap(({ record, inForce }) =>
        inForce ? [inForce.record ?? record] : [],
      )
      await this.#host.serve(next ? [...records, next] : records)
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
