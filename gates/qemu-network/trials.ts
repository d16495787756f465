import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { formatIp } from '../../packages/api/src/base/ip.rules.ts'
import {
  addressIn,
  ip,
  type NetworkRows,
  type RuleRow,
} from '../../packages/control-plane/src/modules/packets/model.ts'
import { type Network, prepareNetwork } from '../../packages/control-plane/src/modules/packets/network.ts'
import { Chance, dice } from '../../packages/control-plane/src/modules/packets/random-network.fixtures.ts'
import type { Packet } from '../../packages/control-plane/src/modules/packets/rules.ts'
import { evaluatePacket } from '../../packages/control-plane/src/modules/packets/verdict.ts'
import { type Content, type Frame, type Ip, tcpFlags } from './frames.ts'
import { type Guest, type Guests, outside, playOutside } from './stage.ts'
import type { TapEnd } from './tap-opener.ts'

import { resolveNetwork } from '../../packages/control-plane/src/modules/packets/vpc-network.ts'
import type { VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'

const networksPerSet = 6
const packetsPerNetwork = 60

export interface Difference extends Trial {
  set: number
  turn: number
  actual: unknown
  rows: NetworkRows
}

/** A host that carries the packets of a VPC, and the side of the outside. */
export interface Carrier {
  words: readonly string[]
  apply: (network: VpcNetwork) => Promise<number>
  powerOn: (network: VpcNetwork) => Promise<Guests>
  /** Where the outside sends packets for external addresses. */
  hostMac: string
}

/** Sends packets through random networks, and compares where they end with what the records say. */
export async function judgeRandomly(
  carrier: Carrier,
  { seed, machineSets, goesOn = false }: { seed: number; machineSets: number; goesOn?: boolean },
) {
  const chance = new Chance(dice(seed))
  const { world, close } = await playOutside(carrier)
  const count = { networks: 0, packets: 0, arrived: 0, left: 0, dropped: 0 }
  const differences: Difference[] = []
  try {
    for (let set = 0, generation = 0; set < machineSets; set++) {
      const first = loaded(opened(chance, chance.network(chance.roll(25))))
      const machines = new Map(first.instances.map(({ id }) => [id, `machine-${set}-${id}`]))
      let guests: Guests | undefined
      for (let turn = 0; turn < networksPerSet; turn++) {
        // The same machines, in a VPC where everything else is another.
        const rows =
          turn === 0
            ? first
            : {
                ...loaded(opened(chance, chance.network(chance.roll(25))), first),
                interfaces: first.interfaces.map((one) => ({
                  ...one,
                  transit_ips: chance.roll(3) ? [] : [chance.net()],
                })),
              }
        const network = { ...(await resolveNetwork(rows, machines)), generation: ++generation }
        const inForce = await carrier.apply(network)
        if (inForce !== generation) throw new Error(`generation ${inForce} is in force, not ${generation}`)
        guests ??= await carrier.powerOn(network)
        const trials = trialsOf(chance, rows)
        const seen = await observe({ world, hostMac: carrier.hostMac }, guests, trials)
        count.networks++
        trials.forEach((trial, n) => {
          const actual = seen[n] ?? 'nowhere'
          count.packets++
          if (trial.expected === 'nowhere') count.dropped++
          else if (trial.expected.at === WORLD) count.left++
          else count.arrived++
          if (!isSame(trial, actual)) differences.push({ set, turn, ...trial, actual: shown(actual), rows })
        })
        if (!goesOn && differences.length > 0) break
      }
      await guests?.powerOff()
      if (!goesOn && differences.length > 0) break
    }
  } finally {
    await close()
  }
  return { count, differences }
}

/** Where a packet is seen, with the addresses that it has there. */
type Seen = { at: string; source: string; destination: string } | 'nowhere'
const WORLD = 'outside'

interface Trial {
  source: string
  destination: string
  packet: Packet
  expected: Seen
  /** A shared address is left by ports of this range. */
  ports: { first: number; last: number } | undefined
}

/** As `loadNetwork` does, without instances that have no interface in the VPC. */
function loaded(rows: NetworkRows, like = rows): NetworkRows {
  // Networks of the host carry IPv4: other interfaces are refused before they exist.
  const interfaces = ofIpv4(rows)
  const has = (id: string | null) => ofIpv4(like).some((one) => one.instance_id === id)
  return {
    ...rows,
    interfaces,
    instances: rows.instances.filter(({ id }) => has(id)),
    externalIps: rows.externalIps.filter(({ instance_id }) => has(instance_id)),
  }
}

const ofIpv4 = (rows: NetworkRows) =>
  rows.interfaces.flatMap((one) => (one.ip === null ? [] : [{ ...one, ip: one.ip, ipv6: null }]))

interface Arrival extends Ip {
  at: string
}

function trialsOf(chance: Chance, rows: NetworkRows): Trial[] {
  const network = prepareNetwork(rows)
  const own = ofIpv4(rows).map((one) => one.ip)
  const shared = new Set(rows.externalIps.filter(({ kind }) => kind === 'snat').map((one) => one.ip))
  const address = (): string => {
    const text = chance.roll(8) === 0 ? '203.0.113.77' : chance.address()
    return text.includes(':') ? address() : text
  }
  const trials: Trial[] = []
  while (trials.length < packetsPerNetwork) {
    const source = chance.roll(4) ? chance.pick(own) : address()
    const destination = chance.roll(3) ? address() : chance.pick(own)
    const packet = sendable(chance.packet())
    const [from, to] = [source, destination].map((text) => network.interfaceAt(ip(text)))
    // A guest delivers to itself, and the outside has only addresses that the VPC has not.
    if (from && from.instance === to?.instance) continue
    if (
      !from &&
      network.subnets.some(({ blocks }) =>
        blocks.some(
          (block) => block.version === 4 && block.first <= ip(source).value && ip(source).value <= block.last,
        ),
      )
    )
      continue
    trials.push({
      source,
      destination,
      packet,
      ...expectedOf(network, rows, source, destination, packet, shared),
    })
  }
  return trials
}

/** What the random rules leave open is allowed in half of the networks, so that enough packets arrive. */
function opened(chance: Chance, rows: NetworkRows): NetworkRows {
  const rule: RuleRow = {
    id: 'open',
    name: 'open',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 65_535,
    targets: [{ type: 'vpc', value: rows.vpc.name }],
    filters: {},
  }
  return chance.roll(2) ? { ...rows, rules: [...rows.rules, rule] } : rows
}

/** ICMP messages that only answer, each with one that begins a conversation and is sent in its place. */
const beginning = new Map([
  [0, 13],
  [3, 8],
])
const sendable = (packet: Packet): Packet =>
  'port' in packet
    ? packet
    : { ...packet, type: 'icmp', icmp_type: beginning.get(packet.icmp_type) ?? packet.icmp_type }

function expectedOf(
  network: Network,
  rows: NetworkRows,
  source: string,
  destination: string,
  packet: Packet,
  shared: ReadonlySet<string>,
): Pick<Trial, 'expected' | 'ports'> {
  const end = (text: string) => ({ type: 'ip' as const, address: ip(text) })
  const { reason, external, receiver } = evaluatePacket(network, end(source), end(destination), packet)
  const sender = network.interfaceAt(ip(source))
  const seenAs = sender && external !== undefined ? external : source
  const share =
    sender &&
    rows.externalIps.find(
      (one) => one.kind === 'snat' && one.ip === external && one.instance_id === sender.instance.id,
    )
  const ports = share && { first: Math.max(1, share.first_port), last: share.last_port }
  // No interface answers at an address that is shared by ports.
  if (reason === 'leaves')
    return {
      expected: shared.has(destination) ? 'nowhere' : { at: WORLD, source: seenAs, destination },
      ports,
    }
  if (reason !== 'arrives' || !receiver) return { expected: 'nowhere', ports: undefined }
  const arrivesAt = external === undefined ? destination : formatIp(addressIn(receiver, 4) ?? ip('0.0.0.0'))
  return { expected: { at: receiver.id, source: seenAs, destination: arrivesAt }, ports }
}

function isSame({ expected, ports }: Trial, actual: Arrival | 'nowhere'): boolean {
  if (expected === 'nowhere' || actual === 'nowhere') return expected === actual
  const { content } = actual
  const isInRange =
    !ports ||
    content.type === 'icmp' ||
    content.type === 'other' ||
    (ports.first <= content.source && content.source <= ports.last)
  return (
    expected.at === actual.at &&
    expected.source === actual.source &&
    expected.destination === actual.destination &&
    isInRange
  )
}

const shown = (actual: Arrival | 'nowhere') =>
  actual === 'nowhere' ? actual : { ...actual, content: { ...actual.content, data: undefined } }

interface Outer {
  world: TapEnd
  hostMac: string
}

/** Sends every packet once, and answers where each was seen. Its id identifies it. */
async function observe(
  outer: Outer,
  guests: Guests,
  trials: readonly Trial[],
): Promise<(Arrival | undefined)[]> {
  const arrivals = new Map<number, Arrival>()
  const stops = [...guests.byId.values(), { interface: { id: WORLD }, end: outer.world }].map((one) =>
    one.end.onFrame(({ ip: packet }) => {
      // What a guest sends is not seen at its own end.
      if (packet && isTrial(packet)) arrivals.set(packet.id, { ...packet, at: one.interface.id })
    }),
  )
  const byAddress = new Map([...guests.byId.values()].map((guest) => [guest.interface.ip, guest]))
  trials.forEach(({ source, destination, packet }, n) => {
    const content = contentOf(packet, n)
    const guest = byAddress.get(source)
    const [end, from, to] = guest
      ? [guest.end, guest.interface.mac.toLowerCase(), guest.gatewayMac]
      : [outer.world, outside.mac, outer.hostMac]
    end.send({ from, to, ip: { source, destination, id: FIRST_ID + n, content } })
  })
  await settle(outer, guests)
  for (const stop of stops) stop()
  return trials.map((_, n) => arrivals.get(FIRST_ID + n))
}

const FIRST_ID = 20_000
/** What some kernel answers has ids of the kernel's choice, which may be the same. */
const isAnswer = (content: Content): boolean =>
  (content.type === 'tcp' && content.flags !== tcpFlags.syn) ||
  (content.type === 'icmp' && beginning.has(content.icmp_type))
const isTrial = ({ id, content }: Ip): boolean =>
  id >= FIRST_ID && id < FIRST_ID + packetsPerNetwork && !isAnswer(content)

/** No two packets of a run belong to one conversation. */
let conversations = 0
function contentOf(packet: Packet, n: number): Content {
  conversations = (conversations + 1) % 50_000
  const id = 10_000 + conversations
  if (!('port' in packet)) return { ...packet, type: 'icmp', id }
  return packet.type === 'tcp'
    ? { type: 'tcp', source: id, destination: packet.port, flags: tcpFlags.syn }
    : { type: 'udp', source: id, destination: packet.port, data: Buffer.from(`trial ${n}`) }
}

/** Everything that was sent has arrived by now: what each end asks its neighbour is answered after it, twice. */
async function settle(outer: Outer, guests: Guests): Promise<void> {
  for (const round of [1, 2]) {
    const waiting = new Set<string>()
    const asked = [...guests.byId.values()].map((guest) =>
      ask(guest.interface.id, guest.end, echo(guest, round)),
    )
    asked.push(
      ask(WORLD, outer.world, {
        from: outside.mac,
        to: outer.hostMac,
        ip: {
          source: outside.router,
          destination: outside.host,
          id: round,
          content: { type: 'icmp', icmp_type: 8, icmp_code: 0, id: round },
        },
      }),
    )
    function ask(id: string, end: Guest['end'], frame: Frame): () => void {
      waiting.add(id)
      const stop = end.onFrame(({ ip: packet }) => {
        if (packet?.content.type === 'icmp' && packet.content.icmp_type === 0 && packet.content.id === round)
          waiting.delete(id)
      })
      end.send(frame)
      return stop
    }
    await eventually(
      async () => [...waiting],
      ({ length }) => length === 0,
    )
    for (const stop of asked) stop()
  }
  await sleep(20)
}

const echo = ({ interface: one, gatewayMac }: Guest, id: number): Frame => ({
  from: one.mac.toLowerCase(),
  to: gatewayMac,
  ip: {
    source: one.ip,
    destination: `${one.ip.split('.').slice(0, 3).join('.')}.1`,
    id,
    content: { type: 'icmp', icmp_type: 8, icmp_code: 0, id },
  },
})
