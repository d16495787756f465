import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  NetworkInterface,
  NetworkRule,
  VpcNetwork,
} from '../../packages/control-plane/src/fleet/networks.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { guestIn, type KernelGuest, nameOf, type Wire, wireGuests } from './kernel-guests.ts'
import { EXTERNAL, need, outside, Stage, whySkipped } from './stage.ts'
import { allow, carried, guestOf, port, vpcOf } from './vpcs.ts'

/*
 * Whole conversations between kernels: guests of two VPCs with the same addresses, the outside, and the host. The
 * external addresses are in the outside's own network, in which the host answers for them.
 */
const shared = '192.0.2.101'
const web = guestOf('web', '10.0.0.5', { external: [carried('floating', '192.0.2.105')] })
const db = guestOf('db', '10.0.0.6', { external: [carried('snat', shared, [16_384, 32_767])] })
const far = guestOf('far', '10.0.1.7', { external: [carried('ephemeral', '192.0.2.107')] })
const twin = guestOf('twin', '10.0.0.5', { external: [carried('floating', '192.0.2.125')] })
const other = guestOf('other', '10.0.0.6', { external: [carried('snat', shared, [32_768, 49_151])] })
/** At an address that the first VPC has in a subnet, but no guest. */
const lone = guestOf('lone', '10.0.1.9')

const ofOne = [web, db, far]
const ofTwo = [twin, other, lone]
const open: NetworkRule[] = [allow(ofOne, port(22, 80)), allow(ofOne, { protocols: [{ type: 'icmp' }] })]

let stage: Stage
let one: VpcNetwork
const guests = new Map<string, KernelGuest>()
const at = (name: string): KernelGuest => need(guests.get(name))
const closers: (() => Promise<void>)[] = []
const processes: ChildProcess[] = []

const change = async (rules: NetworkRule[], interfaces = one.interfaces): Promise<void> => {
  one = { ...vpcOf('one', one.generation + 1, interfaces, rules) }
  await stage.networks.apply(one)
}

const skipped = whySkipped()
if (skipped) console.log(`conversations are skipped: ${skipped}`)

describe.skipIf(skipped)('conversations', () => {
  beforeAll(async () => {
    stage = await Stage.set()
    one = vpcOf('one', 1, ofOne, open)
    const two = vpcOf('two', 1, ofTwo, [allow(ofTwo, port(80))])
    for (const network of [one, two]) {
      await stage.networks.apply(network)
      const { words, taps } = await stage.enter(network)
      await wire(
        words,
        network.interfaces.map((guest) => wireOf(guest, need(taps.get(guest.id)))),
      )
    }
    const world = `${stage.host}-world`
    const addresses = [`${outside.router}/24`, '198.18.0.1/32']
    await wire(stage.words, [
      { tap: EXTERNAL, namespace: world, mac: outside.mac, addresses, gateway: outside.host },
    ])
    guests.set('host', guestIn(stage.host, processes))
    for (const name of ['web', 'db', 'far', 'twin', 'other', 'lone', 'world', 'host'])
      await at(name).serve('serveTcp', 80)
    for (const name of ['web', 'twin']) await at(name).serve('serveUdp', 80)
    await at('world').serve('serveUdp', 80, '198.18.0.1')
  }, 120_000)

  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL')
    for (const close of closers.reverse()) await close()
    await stage.close()
  })

  async function wire(words: readonly string[], wires: readonly Wire[]): Promise<void> {
    const wired = await wireGuests(words, wires)
    closers.push(wired.close)
    for (const guest of wired.guests) guests.set(nameOf(guest.namespace), guest)
  }
  const wireOf = ({ mac, ip, instance_id }: NetworkInterface, tap: string): Wire => ({
    tap,
    namespace: `${stage.host}-${instance_id}`,
    mac,
    addresses: [`${ip}/24`],
    gateway: ip.replace(/\.\d+$/, '.1'),
  })

  const megabytes = (count: number) => count * 2 ** 20
  const timedOut = { error: 'ETIMEDOUT' }

  test('go both ways within a subnet and between subnets, also with many bytes', async () => {
    expect(await at('web').ask('askTcp', db.ip, 80, megabytes(4))).toMatchObject({
      client: web.ip,
      returned: megabytes(4),
    })
    expect(await at('far').ask('askTcp', web.ip, 80, megabytes(1))).toMatchObject({
      client: far.ip,
      returned: megabytes(1),
    })
    expect(await at('far').ask('askUdp', web.ip, 80)).toMatchObject({ client: far.ip, message: 'hello' })
  })

  test('are refused by the receiver where a rule admits them, and silently dropped where none does', async () => {
    expect(await at('web').ask('askTcp', db.ip, 22)).toEqual({ error: 'ECONNREFUSED' })
    // The guest answers by ICMP that no process listens there.
    expect(await at('web').ask('askUdp', db.ip, 22)).toEqual({ error: 'ECONNREFUSED' })
    expect(await at('web').ask('askTcp', db.ip, 23)).toEqual(timedOut)
  })

  test('never reach another VPC at a private address, though it has the same ones', async () => {
    const answered = (client: NetworkInterface, server: NetworkInterface) =>
      expect(at(client.hostname).ask('askTcp', server.ip, 80)).resolves.toMatchObject({
        server: server.hostname,
        client: client.ip,
      })
    // Each is answered by the guest of its own VPC.
    expect([twin.ip, other.ip]).toEqual([web.ip, db.ip])
    await answered(web, db)
    await answered(db, web)
    await answered(twin, other)
    await answered(other, twin)
    await answered(twin, lone)
    for (const { hostname } of ofOne)
      expect([hostname, await at(hostname).ask('askTcp', lone.ip, 80)]).toEqual([hostname, timedOut])
  })

  test('come in at floating and ephemeral addresses with the address of the client', async () => {
    for (const { ip } of [...web.external, ...far.external])
      expect(await at('world').ask('askTcp', ip, 80, megabytes(1))).toMatchObject({
        client: outside.router,
        returned: megabytes(1),
      })
    expect(await at('world').ask('askUdp', '192.0.2.105', 80)).toMatchObject({
      client: outside.router,
      message: 'hello',
    })
    expect(await at('world').ask('askTcp', '192.0.2.105', 23)).toEqual(timedOut)
  })

  test('go out with the address of the instance, and a shared one with the ports of its part', async () => {
    const to = '198.18.0.1'
    expect(await at('web').ask('askTcp', to, 80)).toMatchObject({ client: '192.0.2.105' })
    expect(await at('far').ask('askTcp', to, 80)).toMatchObject({ client: '192.0.2.107' })
    expect(await at('web').ask('askUdp', to, 80)).toMatchObject({ client: '192.0.2.105', message: 'hello' })
    const answers = await Promise.all(
      [db, other].flatMap(({ instance_id }) =>
        [1, 2, 3].map((n) => at(instance_id).ask('askTcp', to, 80, 1000, 40_000 + n)),
      ),
    )
    expect(answers).toMatchObject(Array(6).fill({ client: shared, returned: 1000 }))
    for (const [name, first] of [
      ['db', 16_384],
      ['other', 32_768],
    ] as const) {
      const answer = await at(name).ask('askTcp', to, 80, megabytes(1))
      expect(answer).toMatchObject({ client: shared, returned: megabytes(1) })
      expect('port' in answer && answer.port >= first && answer.port < first + 16_384).toBe(true)
      const said = await at(name).ask('askUdp', to, 80)
      expect(said).toMatchObject({ client: shared, message: 'hello' })
      expect('port' in said && said.port >= first && said.port < first + 16_384).toBe(true)
    }
  })

  test('do not come in at a shared address', async () => {
    for (const to of [80, 16_384, 20_000])
      expect(await at('world').ask('askTcp', shared, to)).toMatchObject({ error: expect.any(String) })
    expect(await at('twin').ask('askTcp', shared, 20_000)).toEqual(timedOut)
  })

  test('connect VPCs at external addresses, and a VPC with itself', async () => {
    expect(await at('web').ask('askTcp', '192.0.2.125', 80, megabytes(1))).toMatchObject({
      client: '192.0.2.105',
      returned: megabytes(1),
    })
    expect(await at('other').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: shared })
    expect(await at('far').ask('askTcp', '192.0.2.105', 80, megabytes(1))).toMatchObject({
      client: '192.0.2.107',
      returned: megabytes(1),
    })
    expect(await at('db').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: shared })
    expect(await at('web').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: '192.0.2.105' })
    expect(await at('web').ask('askUdp', '192.0.2.105', 80)).toMatchObject({ client: '192.0.2.105' })
  })

  test('find guests by name in their own VPC, and everything else by the resolver of the host', async () => {
    // The resolver that this machine names is played outside of the stage, or on it if it is a loopback address.
    const [, resolver = ''] =
      /^nameserver (\d+\.\d+\.\d+\.\d+)/m.exec(await readFile('/etc/resolv.conf', 'utf8')) ?? []
    const place = resolver.startsWith('127.') ? at('host') : at('world')
    if (place === at('world')) place.run('ip', 'addr', 'add', `${resolver}/32`, 'dev', 'lo')
    const config = 'no-hosts\nno-resolv\nbind-interfaces\naddress=/elsewhere.test/198.18.0.9\n'
    place.start(
      config,
      'dnsmasq',
      '--keep-in-foreground',
      '--conf-file=-',
      '--pid-file=',
      `--listen-address=${resolver}`,
    )
    const ask = (name: string, who = 'web') => at(who).resolve('10.0.0.1', name)
    await eventually(
      () => ask('elsewhere.test'),
      (answer) => 'addresses' in answer && answer.addresses.join() === '198.18.0.9',
    )
    for (const name of ['db.one', 'db', 'DB.One']) expect(await ask(name)).toEqual({ addresses: [db.ip] })
    expect(await ask('far.one')).toEqual({ addresses: [far.ip] })
    expect(await ask('twin.two', 'other')).toEqual({ addresses: [twin.ip] })
    // Names of the own VPC and single labels are not forwarded; names of another VPC are, like any other.
    for (const name of ['twin', 'nobody.one']) expect(await ask(name)).toEqual({ error: 'ENOTFOUND' })
    expect(await ask('twin.two')).toMatchObject({ error: expect.any(String) })
    await change(open, [{ ...web, hostname: 'renamed' }, db, far])
    for (const name of ['renamed.one', 'renamed', 'web.one', 'web'])
      expect([name, await ask(name, 'db')]).toEqual([name, { addresses: [web.ip] }])
    // Its name follows, unless another guest has it as its hostname.
    await change(open, [{ ...web, hostname: 'renamed', name: 'front' }, { ...db, name: 'far' }, far])
    for (const [name, ip] of [
      ['front', web.ip],
      ['front.one', web.ip],
      ['far.one', far.ip],
      ['db.one', db.ip],
    ])
      expect([name, await ask(need(name))]).toEqual([name, { addresses: [ip] }])
    expect(await ask('web.one', 'db')).toEqual({ error: 'ENOTFOUND' })
    await change(open, ofOne)
  })

  test('come from the host, and not to it', async () => {
    const { client } = (await at('host').ask('askTcp', '192.0.2.105', 80, megabytes(1))) as { client: string }
    expect(client).toMatch(/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.0\.1$/)
    const links = at('host').run('ip', '-4', '-oneline', 'addr', 'show')
    expect(links).toContain(client)
    for (const address of [outside.host, client]) {
      expect(await at('web').ask('askTcp', address, 80)).toEqual(timedOut)
      expect(await at('db').ask('askUdp', address, 80)).toEqual(timedOut)
      // Its resolver is for the networks' own resolvers only.
      expect(await at('web').ask('askUdp', address, 3053)).toEqual(timedOut)
    }
    // Nor to another VPC's end of its link.
    for (const number of [2, 3, 4, 5])
      expect(await at('web').ask('askTcp', client.replace(/\.1$/, `.${number}`), 80)).toEqual(timedOut)
  })

  test('need no rule for their replies, and a rule that denies sending stops only what begins there', async () => {
    await change([...open, allow([web], {}, { direction: 'outbound', action: 'deny' })])
    expect(await at('world').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: outside.router })
    expect(await at('db').ask('askTcp', web.ip, 80)).toMatchObject({ client: db.ip })
    expect(await at('web').ask('askTcp', db.ip, 80)).toEqual(timedOut)
    expect(await at('web').ask('askTcp', '198.18.0.1', 80)).toEqual(timedOut)
    await change(open)
    expect(await at('web').ask('askTcp', db.ip, 80)).toMatchObject({ client: web.ip })
  })

  test('end when the rule that admitted them is gone', async () => {
    const held = await at('web').hold(db.ip, 80)
    expect(await held.isAnswered()).toBe(true)
    await change([allow([web], port(80))])
    expect(await at('web').ask('askTcp', db.ip, 80)).toEqual(timedOut)
    expect(await held.isAnswered()).toBe(false)
    await change(open)
    expect(await at('web').ask('askTcp', db.ip, 80)).toMatchObject({ client: web.ip })
  })

  test('go on through changes that do not concern them', async () => {
    const [inside, out] = [await at('web').hold(db.ip, 80), await at('db').hold('198.18.0.1', 80)]
    await change([...open, allow([far], port(4711))])
    await stage.restart()
    await change(open)
    expect([await inside.isAnswered(), await out.isAnswered()]).toEqual([true, true])
  })

  test('do not go on with an address that belongs to another instance now', async () => {
    const held = await at('web').hold('198.18.0.1', 80)
    expect(held.client).toBe('192.0.2.105')
    const moved = [{ ...web, external: [] }, { ...db, external: web.external }, far]
    await change(open, moved)
    expect(await held.isAnswered()).toBe(false)
    expect(await at('world').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: outside.router })
    expect(await at('db').ask('askTcp', '198.18.0.1', 80)).toMatchObject({ client: '192.0.2.105' })
    expect(await at('web').ask('askTcp', '198.18.0.1', 80)).toEqual(timedOut)
    await change(open, ofOne)
    expect(await at('web').ask('askTcp', '198.18.0.1', 80)).toMatchObject({ client: '192.0.2.105' })
  })

  test('find their address in another VPC once it has moved there', async () => {
    await change(open, [{ ...web, external: [] }, db, far])
    const two = vpcOf(
      'two',
      2,
      [{ ...twin, external: [...web.external, ...twin.external] }, other, lone],
      [allow(ofTwo, port(80))],
    )
    await stage.networks.apply(two)
    expect(await at('twin').ask('askTcp', '198.18.0.1', 80)).toMatchObject({ client: '192.0.2.105' })
    expect(await at('world').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: outside.router })
    // The order in which two VPCs learn of it does not matter.
    await change(open, ofOne)
    await stage.networks.apply(vpcOf('two', 3, ofTwo, [allow(ofTwo, port(80))]))
    expect(await at('web').ask('askTcp', '198.18.0.1', 80)).toMatchObject({ client: '192.0.2.105' })
    expect(await at('world').ask('askTcp', '192.0.2.105', 80)).toMatchObject({ client: outside.router })
  })
})
