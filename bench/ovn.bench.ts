import { setTimeout as sleep } from 'node:timers/promises'
import type { VpcNetwork } from '../packages/control-plane/src/fleet/networks.ts'
import { EXTERNAL, type Guests, need, runWords, whyMissing, whySkipped } from '../gates/qemu-network/stage.ts'
import { openTaps } from '../gates/qemu-network/tap-opener.ts'
import { type Difference, judgeRandomly } from '../gates/qemu-network/trials.ts'
import { table } from './measure.ts'
import { spanOf } from '../packages/server/src/fleet/qemu/network/spans.ts'
import { OvnHost } from './ovn/host.ts'
import { gatewayMac } from './ovn/northbound.ts'
import { uplink } from './ovn/operations.ts'

const seed = Number(process.env['GANTRY_ORACLE_SEED'] ?? 19)
const machineSets = Number(process.env['GANTRY_ORACLE_SETS'] ?? 12)

/** Milliseconds between what OVN calls in force and the first packet: Open vSwitch gives up its cached flows later. */
const pause = Number(process.env['GANTRY_OVN_PAUSE'] ?? 0)

/**
 * How far OVN carries packets as the records say, with the networks and packets of the gate `qemu-network`
 * (docs/decisions/0017-many-hosts.md).
 */
export default async function measure(): Promise<void> {
  const missing = whyMissing(['ovs-vswitchd', 'ovn-northd', 'ovn-controller']) ?? whySkipped()
  if (missing) return console.log(`OVN is not measured: ${missing}`)
  const host = await Hosted.start()
  try {
    const times: number[] = []
    const carrier = {
      words: host.words,
      hostMac: uplink.mac,
      powerOn: host.powerOn,
      async apply(network: VpcNetwork): Promise<number> {
        const from = performance.now()
        const generation = await host.ovn.apply(network)
        times.push(performance.now() - from)
        await sleep(pause)
        return generation
      },
    }
    const { count, differences } = await judgeRandomly(carrier, { seed, machineSets, goesOn: true })
    const untracked = differences.filter(isUntracked)
    const doubled = differences.filter((one) => !isUntracked(one) && isOfTwo(one))
    const others = differences.filter((one) => !isUntracked(one) && !isOfTwo(one))
    table([
      {
        networks: count.networks,
        packets: count.packets,
        arrive: count.arrived,
        leave: count.left,
        'are dropped': count.dropped,
        'end elsewhere': differences.length,
        'of these, untracked messages': untracked.length,
        'sent from an address of two': doubled.length,
      },
    ])
    times.sort((one, other) => one - other)
    const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`
    console.log(`a network in force: median ${at(0.5)}, 95 % within ${at(0.95)}`)
    console.log(`resident MiB: ${JSON.stringify(await host.ovn.daemons.memory())}`)
    for (const one of others.slice(0, 10)) console.log(JSON.stringify({ ...one, rows: undefined }))
  } finally {
    await host.stop()
  }
}

/** The tracker of the userspace datapath takes them for invalid, and OVN drops what is invalid. */
const isUntracked = ({ packet, actual }: Difference): boolean =>
  actual === 'nowhere' && packet.type === 'icmp' && (packet.icmp_type !== 8 || packet.icmp_code !== 0)

/** A router's policies and translations know a sender by its address only. */
const isOfTwo = ({ source, rows: { interfaces } }: Difference): boolean =>
  interfaces.some((one) => one.ip !== source && one.transit_ips.some((block) => isIn(block, source)))

function isIn(block: string, address: string): boolean {
  if (block.includes(':') || address.includes(':')) return false
  const [span, { first }] = [spanOf(block), spanOf(address)]
  return span.first <= first && first <= span.last
}

/** A host with OVN, as a namespace with an external interface; its guests are taps that a QEMU has opened. */
class Hosted {
  #sets = 0

  private constructor(
    readonly ovn: OvnHost,
    readonly words: readonly string[],
    private readonly namespace: string,
  ) {}

  static async start(): Promise<Hosted> {
    const namespace = `gantry-ovn-${process.pid}`
    runWords(['ip', 'netns', 'add', namespace])
    const words = ['nsenter', `--net=/run/netns/${namespace}`, '--']
    runWords([...words, 'ip', 'link', 'set', 'lo', 'up'])
    const host = new Hosted(await OvnHost.start(namespace), words, namespace)
    host.#makeTap(EXTERNAL)
    host.ovn.plug(EXTERNAL)
    return host
  }

  #makeTap(tap: string): void {
    const run = (...words: string[]) => runWords([...this.words, ...words])
    run('ip', 'tuntap', 'add', 'dev', tap, 'mode', 'tap')
    run('sh', '-c', `echo 1 >/proc/sys/net/ipv6/conf/${tap}/disable_ipv6`)
    run('ip', 'link', 'set', tap, 'up')
  }

  powerOn = async (network: VpcNetwork): Promise<Guests> => {
    const set = (this.#sets += 1)
    const taps = network.interfaces.map((one, n) => ({ one, tap: `t${set}-${n}` }))
    for (const { tap } of taps) this.#makeTap(tap)
    const { ends, close } = await openTaps(
      this.words,
      taps.map(({ tap }) => tap),
    )
    for (const { one, tap } of taps) this.ovn.plug(tap, one.id)
    await this.ovn.settled()
    const guests = taps.map(({ one, tap }) => {
      const subnet = network.subnets.findIndex(({ id }) => id === one.subnet_id)
      return [one.id, { interface: one, end: need(ends.get(tap)), gatewayMac: gatewayMac(subnet) }] as const
    })
    return {
      byId: new Map(guests),
      powerOff: async () => {
        for (const { tap } of taps) this.ovn.unplug(tap)
        await close()
      },
    }
  }

  async stop(): Promise<void> {
    await this.ovn.stop()
    runWords(['ip', 'netns', 'del', this.namespace])
  }
}
