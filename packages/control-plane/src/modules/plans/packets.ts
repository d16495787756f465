import type { ChangePlan } from '@gantry/api/history/plan'
import { planLimits } from '@gantry/api/history/plan.rules'
import { isDelivered } from '@gantry/api/network/packet.rules'
import type { Cx } from '../../context/cx.ts'
import type { Breath } from '../../context/pauses.ts'
import type { MadeChange } from '../../context/services.ts'
import { loadNetwork } from '../packets/load.ts'
import { evaluateInShare } from '../packets/packet-check.ts'
import { addressIn, type IpVersion, type NetworkRows, type RuleRow } from '../packets/model.ts'
import { type Network, prepareNetwork } from '../packets/network.ts'
import { type Packet, prepareRulesInTurns } from '../packets/rules.ts'
import { type Endpoint, evaluatePacket } from '../packets/verdict.ts'

type Records = MadeChange['records']
type Packets = ChangePlan['packets']

/** How much is tried: each packet between each two ends, before and after. */
const maxInstances = 5
const maxPackets = 6

const decisive: ReadonlySet<string> = new Set([
  'vpc-firewall-rule',
  'router-route',
  'vpc-router',
  'vpc-subnet',
])

/** A network before and after changes, as a request read it in its transaction. */
export interface NetworkChange {
  before: NetworkRows
  after: NetworkRows
  /** Of what decides about packets. */
  records: Records
}

/** Reads the network that changes decide about; undefined if there is none, or if it is new. */
export async function networkChangeOf(cx: Cx, records: Records): Promise<NetworkChange | undefined> {
  const concerned = records.filter(({ kind }) => decisive.has(kind))
  const vpcId = await vpcOf(cx, concerned)
  if (vpcId === undefined || records.some(({ op, object_id }) => op === 'create' && object_id === vpcId))
    return undefined
  const vpc = await cx.db
    .selectFrom('vpc')
    .selectAll()
    .where('id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!vpc) return undefined
  const after = await loadNetwork(cx.db, vpc)
  return { before: undone(after, concerned), after, records: concerned }
}

/**
 * Packets that arrive before and not after, or the other way round: a sample, of the ports that rules name. Evaluated
 * outside of any transaction and in the caller's share, as by packet checks.
 */
export async function packetsOf(cx: Cx, network: NetworkChange | undefined): Promise<Packets> {
  if (!network) return { tried: 0, changed: [] }
  const { before, after, records } = network
  return evaluateInShare(cx, async (breath, spend) => {
    spend([...before.rules, ...after.rules])
    const prepared = async (rows: NetworkRows) =>
      prepareNetwork(rows, await prepareRulesInTurns(rows.rules, rows.vpc.name, breath))
    return compare(await prepared(before), await prepared(after), packetsIn(records), breath)
  })
}

async function vpcOf(cx: Cx, concerned: Records): Promise<string | undefined> {
  for (const { before, after } of concerned) {
    const { vpc_id, vpc_router_id } = after ?? before ?? {}
    if (typeof vpc_id === 'string') return vpc_id
    if (typeof vpc_router_id !== 'string') continue
    const router = await cx.db
      .selectFrom('vpc_router')
      .select('vpc_id')
      .where('id', '=', vpc_router_id)
      .executeTakeFirst()
    if (router) return router.vpc_id
  }
  return undefined
}

/** The network as it was before the changes. */
function undone(after: NetworkRows, records: Records): NetworkRows {
  const of = (kind: string) => records.filter((record) => record.kind === kind).toReversed()
  return {
    ...after,
    rules: undoneIn(after.rules, of('vpc-firewall-rule')),
    routes: undoneIn(after.routes, of('router-route')),
    routers: undoneIn(after.routers, of('vpc-router')),
    subnets: undoneIn(after.subnets, of('vpc-subnet')),
  }
}

function undoneIn<One extends { id: string | null }>(rows: readonly One[], records: Records): readonly One[] {
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const { object_id, before } of records) {
    // A record holds the whole row, of which the network has some columns.
    if (before) known.set(object_id, JSON.parse(JSON.stringify(before)) as One)
    else known.delete(object_id)
  }
  return [...known.values()]
}

/** What the changed rules are about, and what nearly every network carries. */
function packetsIn(records: Records): Packet[] {
  const packets = new Map<string, Packet>()
  const add = (packet: Packet): void => void packets.set(wordsOf(packet), packet)
  for (const { kind, before, after } of records) {
    if (kind !== 'vpc-firewall-rule') continue
    for (const rule of [before, after] as unknown as (RuleRow | undefined)[]) {
      for (const range of rule?.filters.ports ?? [])
        for (const type of ['tcp', 'udp'] as const) add({ type, port: Number.parseInt(range, 10) })
      if (rule?.filters.protocols?.some(({ type }) => type === 'icmp6')) add(echo.icmp6)
    }
  }
  for (const port of [22, 443, 80]) add({ type: 'tcp', port })
  add(echo.icmp)
  add(echo.icmp6)
  return [...packets.values()].slice(0, maxPackets)
}

const echo = {
  icmp: { type: 'icmp', icmp_type: 8, icmp_code: 0 },
  icmp6: { type: 'icmp6', icmp_type: 128, icmp_code: 0 },
} as const satisfies Record<string, Packet>

const icmpWords = { icmp: 'ICMP echo', icmp6: 'ICMPv6 echo' } as const
const wordsOf = (packet: Packet): string =>
  'port' in packet ? `${packet.type.toUpperCase()} ${packet.port}` : icmpWords[packet.type]

/** The IP versions that a packet can have between two ends: outside of the VPC, those of external addresses. */
function versionsOf(network: Network, ends: readonly (string | null)[], { type }: Packet): IpVersion[] {
  const hasBoth = (version: IpVersion) =>
    ends.every((id) =>
      id === null
        ? version === 4 || ends.some((other) => hasExternal(other, version))
        : network.instances.get(id)?.interfaces.some((one) => addressIn(one, version)),
    )
  const hasExternal = (id: string | null, version: IpVersion) =>
    id !== null && network.instances.get(id)?.externalIps.some(({ ip }) => ip.version === version)
  const ofProtocol =
    type === 'icmp' ? [4 as const] : type === 'icmp6' ? [6 as const] : [4 as const, 6 as const]
  return ofProtocol.filter(hasBoth)
}

async function compare(
  before: Network,
  after: Network,
  packets: readonly Packet[],
  breath: Breath,
): Promise<Packets> {
  const ids = [...after.instances.values()]
    .filter(({ interfaces }) => interfaces.length > 0)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, maxInstances)
    .map(({ id }) => id)
  const ends: (string | null)[] = [null, ...ids]
  const changed: Packets['changed'] = []
  let tried = 0
  for (const from of ends)
    for (const to of ends) {
      if (from === to) continue
      for (const packet of packets)
        for (const version of versionsOf(after, [from, to], packet)) {
          tried++
          await breath()
          const was = arrives(before, from, to, packet, version)
          const is = arrives(after, from, to, packet, version)
          if (was === is || changed.length === planLimits.affected) continue
          const words = version === 6 && 'port' in packet ? `${wordsOf(packet)} over IPv6` : wordsOf(packet)
          changed.push({ from: endOf(after, from), to: endOf(after, to), packet: words, was, is })
        }
    }
  return { tried, changed }
}

const endOf = ({ instances }: Network, id: string | null) =>
  id === null ? null : { id, name: instances.get(id)?.name ?? '' }

function arrives(
  network: Network,
  from: string | null,
  to: string | null,
  packet: Packet,
  version: IpVersion,
): boolean {
  const ends = [endpointOf(network, from), endpointOf(network, to)] as const
  return isDelivered(evaluatePacket(network, ...ends, packet, version).reason)
}

/** Both networks have the same instances: no change of rules or routes makes any. */
function endpointOf({ instances }: Network, id: string | null): Endpoint {
  const instance = id === null ? undefined : instances.get(id)
  return instance ? { type: 'instance', instance } : { type: 'internet' }
}
