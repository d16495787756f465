import { usualHardware } from '../../packages/api/src/storage/hardware.rules.ts'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { MachineSpec } from '../../packages/control-plane/src/fleet/fleet.ts'
import type { NetworkInterface, VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { dnsmasqProcesses } from '../../packages/server/src/fleet/qemu/network/dnsmasq.ts'
import { QemuNetworks } from '../../packages/server/src/fleet/qemu/network/networks.ts'
import { endProcesses } from '../../packages/server/src/fleet/qemu/network/processes.ts'
import { broadcast, type Frame, nobody } from './frames.ts'
import { openTaps, type TapEnd } from './tap-opener.ts'

/** What these tests need of the machine that they run on; undefined if it is all there. */
export function whySkipped(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make network namespaces'
  return whyMissing(['ip', 'nft', 'nsenter', 'dnsmasq', 'qemu-system-x86_64'])
}

export function whyMissing(programs: readonly string[]): string | undefined {
  for (const program of programs)
    try {
      execFileSync('which', [program])
    } catch {
      return `${program} is not installed`
    }
  return undefined
}

/** Addresses of the outside. */
export const outside = { host: '192.0.2.1', router: '192.0.2.254', mac: '02:00:00:00:00:fe' } as const
export const EXTERNAL = 'ext0'

/** A host of its own, as a namespace with an external interface. */
export class Stage {
  readonly tag: string
  readonly host: string
  readonly folder: string
  /** The words before a command on the host. */
  readonly words: readonly string[]
  readonly #isMasked: boolean
  readonly #isGuest: boolean
  /** What the driver logged of errors. */
  readonly logged: Record<string, unknown>[] = []
  readonly log = { error: (fields: Record<string, unknown>) => void this.logged.push(fields) }
  #networks: QemuNetworks | undefined

  /** `host` is that of another installation. */
  private constructor(tag: string, folder: string, isMasked: boolean, host?: string) {
    this.tag = tag
    this.host = host ?? `gantry-test-${tag}`
    this.#isGuest = host !== undefined
    this.folder = folder
    this.words = ['nsenter', `--net=/run/netns/${this.host}`, '--']
    this.#isMasked = isMasked
  }

  /** Unless `isMasked`, external addresses are answered on the external interface. */
  static async set({ isMasked = false } = {}): Promise<Stage> {
    const stage = new Stage(nextTag(), await newFolder(), isMasked)
    runWords(['ip', 'netns', 'add', stage.host])
    stage.run('ip', 'link', 'set', 'lo', 'up')
    stage.run('ip', 'tuntap', 'add', 'dev', EXTERNAL, 'mode', 'tap')
    // Addresses and routes of its own would come and go with the process that opens the tap.
    stage.run('sh', '-c', `echo 1 >/proc/sys/net/ipv6/conf/${EXTERNAL}/disable_ipv6`)
    stage.run('ip', 'addr', 'add', `${outside.host}/24`, 'dev', EXTERNAL)
    stage.run('ip', 'link', 'set', EXTERNAL, 'up')
    stage.run('ip', 'route', 'add', 'default', 'via', outside.router)
    await stage.restart()
    return stage
  }

  /** Another installation on the same host. */
  async beside(): Promise<Stage> {
    const other = new Stage(nextTag(), await newFolder(), this.#isMasked, this.host)
    await other.restart()
    return other
  }

  get networks(): QemuNetworks {
    return need(this.#networks)
  }

  run = (...words: string[]): string => runWords([...this.words, ...words])

  /** The driver of another process on the same host takes over, perhaps with another setting. */
  async restart(
    external: { externalInterface?: string } = this.#isMasked ? {} : { externalInterface: EXTERNAL },
  ): Promise<void> {
    const { folder, tag, host: hostNamespace } = this
    this.#networks = await QemuNetworks.open({ folder, tag, hostNamespace, ...external, log: this.log })
  }

  macOf(device: string, words = this.words): string {
    const links = JSON.parse(runWords([...words, 'ip', '-json', 'link', 'show', device])) as {
      address: string
    }[]
    return need(links[0]).address
  }

  /** The taps of all machines of a VPC that is in force, by their interfaces. */
  async enter(network: VpcNetwork): Promise<{ words: readonly string[]; taps: Map<string, string> }> {
    const machines = new Set(network.interfaces.flatMap(({ machine_id }) => machine_id ?? []))
    const taps = new Map<string, string>()
    let words: readonly string[] = []
    for (const id of machines) {
      await mkdir(path.join(this.folder, 'machines', id), { recursive: true })
      const attachment = await this.networks.attach(specOf(network, id), 0)
      words = attachment.prefix
      for (const [interfaceId, tap] of attachment.taps) taps.set(interfaceId, tap)
    }
    return { words, taps }
  }

  async powerOn(network: VpcNetwork): Promise<Guests> {
    const { words, taps } = await this.enter(network)
    const opened = await openTaps(words, [...taps.values()])
    const guests = [...taps].map(([id, tap]): [string, Guest] => [
      id,
      {
        interface: need(network.interfaces.find((one) => one.id === id)),
        end: need(opened.ends.get(tap)),
        gatewayMac: this.macOf(tap, words),
      },
    ])
    return { byId: new Map(guests), powerOff: opened.close }
  }

  async close(): Promise<void> {
    await this.networks.remove([...(await this.networks.inForce()).keys()])
    await endProcesses(await dnsmasqProcesses(path.join(this.folder, 'networks')))
    if (!this.#isGuest) runWords(['ip', 'netns', 'del', this.host])
    await rm(this.folder, { recursive: true, force: true })
  }
}

let stages = 0
const nextTag = (): string =>
  `${process.pid.toString(16)}${(stages++).toString(16)}`.padStart(6, '0').slice(-6)
const newFolder = (): Promise<string> => mkdtemp(path.join(os.tmpdir(), 'gantry-network-'))

export interface Guest {
  interface: NetworkInterface
  end: TapEnd
  /** The MAC address of the tap, which answers for everything. */
  gatewayMac: string
}
export interface Guests {
  byId: ReadonlyMap<string, Guest>
  powerOff: () => Promise<void>
}

/** Plays the outside, which has every address. */
export async function playOutside({
  words,
}: {
  words: readonly string[]
}): Promise<{ world: TapEnd; close: () => Promise<void> }> {
  const { ends, close } = await openTaps(words, [EXTERNAL])
  const world = need(ends.get(EXTERNAL))
  world.onFrame(({ arp }) => {
    if (!arp || arp.isReply || arp.target.ip === outside.host) return
    world.send(arpReply(arp.target.ip, outside.mac, arp.sender))
  })
  return { world, close }
}

export function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it has to be there')
  return value
}

export function runWords([program = '', ...words]: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8' })
}

const arpReply = (ip: string, mac: string, to: { mac: string; ip: string }): Frame => ({
  from: mac,
  to: to.mac,
  arp: { isReply: true, sender: { mac, ip }, target: to },
})
export const arpRequest = (ip: string, from: { mac: string; ip: string }): Frame => ({
  from: from.mac,
  to: broadcast,
  arp: { isReply: false, sender: from, target: { mac: nobody, ip } },
})

export function specOf(network: VpcNetwork, machineId: string): MachineSpec {
  const own = network.interfaces.filter((one) => one.machine_id === machineId)
  return {
    id: machineId,
    instance_id: own[0]?.instance_id ?? '',
    host_id: '',
    name: '',
    hostname: own[0]?.hostname ?? '',
    ncpus: 1,
    memory: 0,
    user_data: '',
    hardware: { ...usualHardware, variables_id: null, tpm_id: null },
    cds: [null, null],
    ssh_keys: [],
    disks: [],
    interfaces: own.map((one) => ({
      ...one,
      ipv6: null,
      name: one.id,
      slot: own.indexOf(one),
      vpc_id: network.id,
      subnet: network.subnets.find((subnet) => subnet.id === one.subnet_id)?.block ?? '',
    })),
    os: '',
    version: '',
  }
}
