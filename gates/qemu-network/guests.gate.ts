import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { dhcpMessage, type Lease, readLease } from './dhcp.ts'
import { broadcast, type Content, type Frame, tcpFlags } from './frames.ts'
import { arpRequest, type Guest, type Guests, need, runWords, Stage, whySkipped } from './stage.ts'
import { allow, guestOf, vpcOf } from './vpcs.ts'

/* What a guest may say at its tap, and what it is told there, frame by frame. */
const web = guestOf('web', '10.0.0.5')
const extra = { ...guestOf('web', '10.0.1.5'), id: 'web-net1', is_primary: false }
const db = guestOf('db', '10.0.0.6', { transit_ips: ['172.16.0.0/16'] })
const hostile = guestOf('hostile', '10.0.0.7', { hostname: 'infinite' })
const all = [web, extra, db, hostile]

let stage: Stage
let network: VpcNetwork
let guests: Guests
let words: readonly string[]
const at = (id: string): Guest => need(guests.byId.get(id))

const skipped = whySkipped()
if (skipped) console.log(`guests are skipped: ${skipped}`)

describe.skipIf(skipped)('a guest', () => {
  beforeAll(async () => {
    stage = await Stage.set()
    network = vpcOf('one', 1, all, [allow(all)])
    await stage.networks.apply(network)
    ;({ words } = await stage.enter(network))
    guests = await stage.powerOn(network)
  })
  afterAll(async () => {
    await guests.powerOff()
    await stage.close()
  })

  /** Frames that an end gets within a moment, after something was sent. */
  async function gets(guest: Guest, send: () => void, ms = 300): Promise<Frame[]> {
    const frames: Frame[] = []
    const stop = guest.end.onFrame((frame) => frames.push(frame))
    send()
    await sleep(ms)
    stop()
    return frames
  }
  const mac = ({ interface: one }: Guest): string => one.mac.toLowerCase()
  const packet = (
    from: Guest,
    source: string,
    destination: string,
    content: Content,
    more: Partial<Frame> = {},
  ): Frame => ({
    from: mac(from),
    to: from.gatewayMac,
    ip: { source, destination, id: 7, content },
    ...more,
  })
  const datagram: Content = { type: 'udp', source: 5000, destination: 5000, data: Buffer.from('x') }
  const echo: Content = { type: 'icmp', icmp_type: 8, icmp_code: 0, id: 9 }
  const syn = (destination: number): Content => ({
    type: 'tcp',
    source: 5000,
    destination,
    flags: tcpFlags.syn,
  })

  async function leaseOf(guest: Guest, send: Frame): Promise<Lease | undefined> {
    const frames = await gets(guest, () => guest.end.send(send), 500)
    return frames.flatMap((frame) => readLease(frame) ?? [])[0]
  }

  test('is given exactly its own address, and where to go from there', async () => {
    for (const guest of [at(web.id), at(db.id)]) {
      const { ip, hostname } = guest.interface
      const expected = {
        ip,
        mask: '255.255.255.0',
        router: '10.0.0.1',
        resolver: '10.0.0.1',
        domain: 'one',
        hostname,
      }
      expect(await leaseOf(guest, dhcpMessage(guest, 'discover'))).toEqual({ type: 'offer', ...expected })
      const request = dhcpMessage(guest, 'request', { ip, server: '10.0.0.1' })
      expect(await leaseOf(guest, request)).toEqual({ type: 'acknowledgement', ...expected })
      const wrong = dhcpMessage(guest, 'request', { ip: '10.0.0.99', server: '10.0.0.1' })
      expect(await leaseOf(guest, wrong)).toMatchObject({ type: 'refusal' })
    }
  })

  test('has one way out, by its primary interface', async () => {
    expect(await leaseOf(at(extra.id), dhcpMessage(at(extra.id), 'discover'))).toMatchObject({
      ip: extra.ip,
      router: undefined,
      resolver: '10.0.1.1',
    })
  })

  test('is given its address whatever it is called', async () => {
    expect(await leaseOf(at(hostile.id), dhcpMessage(at(hostile.id), 'discover'))).toMatchObject({
      ip: hostile.ip,
      hostname: undefined,
    })
  })

  test('neither asks nor gives up an address for another one', async () => {
    const guest = at(hostile.id)
    expect(await leaseOf(guest, dhcpMessage(guest, 'discover', { chaddr: db.mac }))).toBeUndefined()
    guest.end.send(dhcpMessage(guest, 'decline', { chaddr: db.mac, ip: db.ip, server: '10.0.0.1' }))
    expect(await leaseOf(at(db.id), dhcpMessage(at(db.id), 'discover'))).toMatchObject({ ip: db.ip })
  })

  test('reaches a neighbour only through the router, which answers for every address but its own', async () => {
    const guest = at(web.id)
    const asker = { mac: mac(guest), ip: web.ip }
    const answers = async (ip: string, from = asker) =>
      (await gets(guest, () => guest.end.send(arpRequest(ip, from)))).flatMap(({ arp }) =>
        arp?.isReply ? [arp.sender] : [],
      )
    for (const ip of ['10.0.0.1', db.ip, '10.0.0.200'])
      expect(await answers(ip)).toEqual([{ mac: guest.gatewayMac, ip }])
    expect(await answers(web.ip)).toEqual([])
    // As a guest does that makes sure of its address before it takes it.
    expect(await answers(web.ip, { mac: mac(guest), ip: '0.0.0.0' })).toEqual([])
  })

  test('sends with its own addresses only', async () => {
    const [sender, receiver] = [at(web.id), at(db.id)]
    const arrives = async (frame: Frame): Promise<boolean> =>
      (await gets(receiver, () => sender.end.send(frame))).some(({ ip }) => ip?.id === 7)
    expect(await arrives(packet(sender, web.ip, db.ip, datagram))).toBe(true)
    for (const source of ['10.0.0.99', hostile.ip, '10.0.0.1', '0.0.0.0', '8.8.8.8', '172.16.0.1'])
      expect([source, await arrives(packet(sender, source, db.ip, datagram))]).toEqual([source, false])
    expect(await arrives(packet(sender, web.ip, db.ip, datagram, { from: hostile.mac.toLowerCase() }))).toBe(
      false,
    )
    expect(await arrives(packet(sender, web.ip, db.ip, datagram, { to: broadcast }))).toBe(false)
  })

  test('may send from its transit networks', async () => {
    const [sender, receiver] = [at(db.id), at(web.id)]
    const frames = await gets(receiver, () => sender.end.send(packet(sender, '172.16.4.4', web.ip, datagram)))
    expect(frames.map(({ ip }) => ip?.source)).toContain('172.16.4.4')
  })

  test('cannot fill the table of neighbours, nor take the address of another one in it', async () => {
    const guest = at(hostile.id)
    const neighbours = () => runWords([...words, 'ip', 'neigh', 'show'])
    const before = neighbours()
    for (let n = 0; n < 200; n++)
      guest.end.send(arpRequest('10.0.0.1', { mac: mac(guest), ip: `10.0.0.${20 + n}` }))
    guest.end.send(arpRequest(db.ip, { mac: mac(guest), ip: db.ip }))
    guest.end.send(arpRequest('10.0.0.1', { mac: mac(guest), ip: hostile.ip }))
    await sleep(300)
    expect(neighbours().split('\n').sort()).toEqual(before.split('\n').sort())
  })

  test('reaches of the router only names, its address and an echo', async () => {
    const guest = at(web.id)
    const answered = async (destination: string, content: Content): Promise<boolean> =>
      (await gets(guest, () => guest.end.send(packet(guest, web.ip, destination, content)))).some(
        // An earlier handshake may still be answered.
        ({ ip }) => ip?.source === destination && (ip.content.type === 'tcp') === (content.type === 'tcp'),
      )
    expect(await answered('10.0.0.1', echo)).toBe(true)
    expect(await answered('10.0.0.1', syn(53))).toBe(true)
    const [link = ''] =
      /100\.\d+\.\d+\.\d+/.exec(runWords([...words, 'ip', '-4', 'addr', 'show', 'dev', 'wan'])) ?? []
    for (const [destination, content] of [
      ['10.0.0.1', syn(22)],
      ['10.0.0.1', datagram],
      ['10.0.1.1', echo],
      ['10.0.1.1', syn(53)],
      [link, echo],
      [link, syn(53)],
      ['127.0.0.1', echo],
      ['10.0.0.255', echo],
      ['224.0.0.1', echo],
    ] as const)
      expect([destination, content.type, await answered(destination, content)]).toEqual([
        destination,
        content.type,
        false,
      ])
  })

  test('meets no mixture of two states of its network', async () => {
    // In each state db is led to one guest, whose rules let nothing in; those of the other one do.
    const state = (turn: 0 | 1, generation: number): VpcNetwork => {
      const [led, open] = turn === 0 ? [web, hostile] : [hostile, web]
      const made = vpcOf(
        'one',
        generation,
        all.map((one) => ({ ...one, transit_ips: ['198.18.0.0/15'] })),
        [allow([open])],
      )
      const subnets = made.subnets.map((subnet) => ({
        ...subnet,
        routes: [
          ...subnet.routes,
          { block: '198.18.0.0/15', hop: { type: 'interface', interface_id: led.id } as const },
        ],
      }))
      return { ...made, subnets }
    }
    const arrived: Frame[] = []
    const stops = [web, hostile].map(({ id }) =>
      at(id).end.onFrame((frame) => frame.ip?.destination.startsWith('198.18.') && arrived.push(frame)),
    )
    const sender = at(db.id)
    let sent = 0
    const flood = setInterval(() => {
      for (let n = 0; n < 40; n++) {
        sent++
        const content: Content = {
          type: 'udp',
          source: 1024 + (sent % 60_000),
          destination: 9,
          data: Buffer.alloc(0),
        }
        sender.end.send(packet(sender, db.ip, `198.18.${sent & 255}.1`, content))
      }
    }, 1)
    for (let turn = 0; turn < 60; turn++) await stage.networks.apply(state(turn % 2 === 0 ? 0 : 1, 2 + turn))
    clearInterval(flood)
    await sleep(100)
    expect(sent).toBeGreaterThan(1000)
    expect(arrived).toEqual([])
    // The same packets arrive where both agree.
    const both = state(0, 100)
    await stage.networks.apply({ ...both, rules: [allow([web])] })
    sender.end.send(packet(sender, db.ip, '198.18.0.1', datagram))
    await sleep(300)
    expect(arrived).toHaveLength(1)
    for (const stop of stops) stop()
  })
})
