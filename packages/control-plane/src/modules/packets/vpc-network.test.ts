import { formatIp } from '@gantry/api/base/ip.rules'
import { expect, test } from 'vitest'
import { rounds } from '../../testing/rounds.ts'
import { type Fate, fateOf } from './interpreted-network.fixtures.ts'
import { addressIn, ip, type NetworkRows } from './model.ts'
import { prepareNetwork } from './network.ts'
import { Chance, dice } from './random-network.fixtures.ts'
import type { Packet } from './rules.ts'
import { type Endpoint, evaluatePacket } from './verdict.ts'
import { resolveNetwork } from './vpc-network.ts'

/** No network of the random ones but all of IPv4 holds it. */
const somewhere = '203.0.113.77'
const none = new Map<string, string>()

/** As `loadNetwork` does, without instances that have no interface in the VPC. */
function loaded(rows: NetworkRows): NetworkRows {
  const has = ({ id }: { id: string }) => rows.interfaces.some((one) => one.instance_id === id)
  return { ...rows, instances: rows.instances.filter(has) }
}

/** What the records say becomes of a packet between addresses. */
function judged(rows: NetworkRows, source: string, destination: string, packet: Packet): Fate {
  const network = prepareNetwork(rows)
  const end = (text: string): Endpoint =>
    text === somewhere ? { type: 'internet' } : { type: 'ip', address: ip(text) }
  const { reason, external, receiver } = evaluatePacket(network, end(source), end(destination), packet)
  const isSender = network.interfaceAt(ip(source)) !== undefined
  const seen = isSender && external !== undefined ? external : source
  if (reason === 'leaves') return { at: 'outside', source: seen, destination }
  // A fleet has no interface without IPv4, which a route may lead to in the records.
  if (reason !== 'arrives' || !receiver || !addressIn(receiver, 4)) return { at: 'nowhere' }
  const isTranslated = external !== undefined
  return {
    at: 'interface',
    id: receiver.id,
    source: seen,
    destination: isTranslated ? formatIp(addressIn(receiver, 4) ?? ip('0.0.0.0')) : destination,
  }
}

test('treats thousands of random packets like the records, to any destination', async () => {
  const networks = rounds({ sample: 200, all: 1000 })
  const chance = new Chance(dice(19))
  const address = (): string => {
    const text = chance.roll(6) === 0 ? somewhere : chance.address()
    return text.includes(':') ? address() : text
  }
  const count = new Map<Fate['at'], number>()
  const disagreements: unknown[] = []
  for (let turn = 0; turn < networks; turn++) {
    // A fleet delivers nothing to external subnets.
    const rows = loaded({ ...chance.network(chance.roll(25)), externalSubnets: [] })
    const state = await resolveNetwork(rows, none)
    const own = state.interfaces.map((one) => one.ip)
    if (own.length === 0) continue
    for (let more = 0; more < 50; more++) {
      const source = chance.roll(3) ? chance.pick(own) : address()
      const destination = chance.roll(3) ? address() : chance.pick(own)
      const packet = chance.packet()
      // None of IPv4.
      if (packet.type === 'icmp6') continue
      const [from, to] = [source, destination].map((text) => state.interfaces.find((one) => one.ip === text))
      // A guest delivers to itself.
      if (from && from.instance_id === to?.instance_id) continue
      const [ours, theirs] = [
        fateOf(state, source, destination, packet),
        judged(rows, source, destination, packet),
      ]
      count.set(ours.at, (count.get(ours.at) ?? 0) + 1)
      if (JSON.stringify(ours) !== JSON.stringify(theirs) && disagreements.length < 3)
        disagreements.push({ source, destination, packet, ours, theirs })
    }
  }
  expect(disagreements).toEqual([])
  for (const at of ['interface', 'outside', 'nowhere'] as const)
    expect([at, (count.get(at) ?? 0) > 2 * networks]).toEqual([at, true])
})

test('is the same for the same rows in another order', async () => {
  const chance = new Chance(dice(23))
  for (let turn = 0; turn < 50; turn++) {
    const rows = chance.network(chance.roll(25))
    const reversed = Object.fromEntries(
      Object.entries(rows).map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value]),
    ) as unknown as NetworkRows
    expect(await resolveNetwork(reversed, none)).toEqual(await resolveNetwork(rows, none))
  }
})

test('has only IPv4 and effective parts', async () => {
  const chance = new Chance(dice(29))
  for (let turn = 0; turn < 200; turn++) {
    const state = await resolveNetwork(chance.network(20), none)
    expect(JSON.stringify(state)).not.toContain('::')
    for (const { interface_ids, hosts, ports, protocols } of state.rules)
      expect([interface_ids, hosts, ports, protocols].filter((list) => list?.length === 0)).toEqual([])
    for (const { routes } of state.subnets)
      expect(new Set(routes.map(({ block }) => block)).size).toBe(routes.length)
  }
})

test('names the machine of each interface, and the facts for its guest', async () => {
  const rows = new Chance(dice(3)).network(0)
  const state = await resolveNetwork(rows, new Map([['instance-0', 'machine']]))
  const of = (isRunning: boolean) =>
    state.interfaces.filter((one) => (one.instance_id === 'instance-0') === isRunning)
  const running = of(true)
  expect(new Set(running.map(({ machine_id }) => machine_id))).toEqual(new Set(['machine']))
  expect(new Set(of(false).map(({ machine_id }) => machine_id))).toEqual(new Set([null]))
  expect(running[0]).toMatchObject({
    hostname: 'h0',
    name: 'i0',
    mac: 'A8:40:25:F0:00:00',
    ip: '10.0.0.5',
    is_primary: true,
  })
  expect(state.subnets[0]).toMatchObject({ block: '10.0.0.0/24', gateway: '10.0.0.1' })
})
