import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { fleetFolder } from '../../packages/server/src/fleet/qemu/host/folders.ts'
import { endProcesses, findProcesses } from '../../packages/server/src/fleet/qemu/network/processes.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import { dhcpMessage, readLease } from './dhcp.ts'
import { type Content, type Frame, ipBytes, tcpFlags } from './frames.ts'
import { guestIn, type KernelGuest, wireGuests } from './kernel-guests.ts'
import { type NetworkProcess, startNetworks } from './network-process.ts'
import { EXTERNAL, type Guest, need, outside, runWords, specOf, Stage, whySkipped } from './stage.ts'
import { openTaps } from './tap-opener.ts'
import { allow, carried, guestOf, vpcOf } from './vpcs.ts'

/* Networks that an ordinary user's process makes, with the way out by pasta. */
const nobody = 65_534
const web = guestOf('web', '10.0.0.5', { external: [carried('snat', '203.0.113.1', [16_384, 32_767])] })
const db = guestOf('db', '10.0.0.6', { external: [carried('floating', '203.0.113.6')] })
const vpc = (generation: number) => vpcOf('one', generation, [web, db], [allow([web, db])])

function whyNotAsUser(): string | undefined {
  try {
    execFileSync('which', ['pasta', 'setpriv', 'unshare'])
    execFileSync('setpriv', [
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      '--clear-groups',
      'unshare',
      '--user',
      '--net',
      'true',
    ])
    return whySkipped()
  } catch {
    return 'pasta is not installed, or ordinary users may not make namespaces'
  }
}
const skipped = whyNotAsUser()
if (skipped) console.log(`networks of an ordinary user are skipped: ${skipped}`)

describe.skipIf(skipped)('networks of an ordinary user', () => {
  let stage: Stage
  let program: Awaited<ReturnType<typeof bundled>>
  let folder: string
  let asUser: string[]
  let networks: NetworkProcess
  let world: KernelGuest
  let host: KernelGuest
  const closers: (() => Promise<unknown>)[] = []
  const guests = new Map<string, Guest>()
  const at = (id: string): Guest => need(guests.get(id))
  const ownProcesses = () =>
    findProcesses((word) => word.startsWith(folder) || word.startsWith(`--pid-file=${folder}`))
  const start = () => startNetworks(program.file, { folder, tag: 'abcdef' }, asUser)

  beforeAll(async () => {
    program = await bundled('src/testing/network-process.ts')
    closers.push(program.remove)
    await chmod(path.dirname(program.file), 0o755)
    stage = await Stage.set()
    closers.push(() => stage.close())
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'gantry-user-'))
    folder = fleetFolder(dataDir)
    closers.push(async () => {
      await endProcesses(await ownProcesses())
      await rm(dataDir, { recursive: true, force: true })
    })
    await mkdir(folder)
    for (const one of [dataDir, folder]) await chown(one, nobody, nobody)
    // Where the device belongs to root alone, as in a container, the user gets one of its own.
    const tun = path.join(stage.folder, 'tun')
    runWords(['mknod', tun, 'c', '10', '200'])
    await chmod(tun, 0o666)
    await chmod(stage.folder, 0o755)
    const script = 'mount --bind "$0" /dev/net/tun && exec "$@"'
    asUser = [
      ...stage.words,
      ...'unshare --mount sh -c'.split(' '),
      script,
      tun,
      ...`setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --inh-caps=-all --`.split(' '),
      // As Debian has it for ordinary users.
      ...'env PATH=/usr/local/bin:/usr/bin:/bin'.split(' '),
    ]
    const addresses = [`${outside.router}/24`, '198.18.0.1/32']
    const wire = {
      tap: EXTERNAL,
      namespace: `${stage.host}-world`,
      mac: outside.mac,
      addresses,
      gateway: outside.host,
    }
    const wired = await wireGuests(stage.words, [wire])
    closers.push(wired.close)
    world = need(wired.guests[0])
    await world.serve('serveTcp', 80)
    await world.serve('serveUdp', 80, '198.18.0.1')
    const processes: ChildProcess[] = []
    closers.push(async () => processes.forEach((child) => child.kill('SIGKILL')))
    host = guestIn(stage.host, processes)
    await host.serve('serveTcp', 80)
    networks = await start()
    closers.push(() => networks.kill())
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  async function powerOn(): Promise<void> {
    const taps = new Map<string, string>()
    let words: string[] = []
    for (const machine of ['machine-web', 'machine-db']) {
      await mkdir(path.join(folder, 'machines', machine), { recursive: true })
      const entry = await networks.call({ call: 'enter', spec: specOf(vpc(1), machine), uid: nobody })
      const { enter, taps: own } = entry as { enter: string[]; taps: Record<string, string> }
      words = enter
      for (const [id, tap] of Object.entries(own)) taps.set(id, tap)
    }
    const opened = await openTaps([...asUser, ...words], [...taps.values()])
    closers.push(opened.close)
    for (const [id, tap] of taps)
      guests.set(id, {
        interface: need([web, db].find((one) => one.id === id)),
        end: need(opened.ends.get(tap)),
        gatewayMac: stage.macOf(tap, [...asUser, ...words]),
      })
  }

  async function gets(guest: Guest, send: () => void, ms = 1500): Promise<Frame[]> {
    const frames: Frame[] = []
    const stop = guest.end.onFrame((frame) => frames.push(frame))
    send()
    await sleep(ms)
    stop()
    return frames
  }
  async function answers(guest: Guest, destination: string, content: Content): Promise<Content[]> {
    const { mac, ip } = guest.interface
    const frame = {
      from: mac.toLowerCase(),
      to: guest.gatewayMac,
      ip: { source: ip, destination, id: 7, content },
    }
    const frames = await gets(guest, () => guest.end.send(frame))
    return frames.flatMap(({ ip: got }) => (got?.source === destination ? [got.content] : []))
  }
  let conversations = 5000
  const syn = (destination: number): Content => ({
    type: 'tcp',
    source: ++conversations,
    destination,
    flags: tcpFlags.syn,
  })
  const datagram = (destination: number, data: Buffer): Content => ({
    type: 'udp',
    source: ++conversations,
    destination,
    data,
  })

  test('come into force, without external addresses', async () => {
    expect(await networks.call({ call: 'apply', network: vpc(1) })).toBe(1)
    expect(await networks.call({ call: 'inForce' })).toEqual({ one: 1 })
    await powerOn()
    const guest = at(web.id)
    const frames = await gets(guest, () => guest.end.send(dhcpMessage(guest, 'discover')))
    expect(frames.flatMap((frame) => readLease(frame) ?? [])).toMatchObject([
      { ip: web.ip, router: '10.0.0.1' },
    ])
  })

  test('connect guests with each other and with the outside', async () => {
    const arrived = await gets(
      at(db.id),
      () => void answers(at(web.id), db.ip, datagram(9, Buffer.from('x'))),
    )
    expect(arrived.map(({ ip }) => ip?.source)).toContain(web.ip)
    expect(await answers(at(web.id), '198.18.0.1', syn(80))).toMatchObject([
      { flags: tcpFlags.syn | tcpFlags.ack },
    ])
    expect(await answers(at(web.id), '198.18.0.1', datagram(80, Buffer.from('hello')))).toMatchObject([
      { type: 'udp' },
    ])
  })

  test('give no access to the host', async () => {
    // The host has these addresses, or pasta would take them for it.
    for (const address of [outside.host, '169.254.9.1', '169.254.9.2', '127.0.0.1'])
      expect([address, await answers(at(web.id), address, syn(80))]).toEqual([address, []])
  })

  test('resolve names by the resolver of the host', async () => {
    const name = (text: string) =>
      Buffer.concat(
        [...text.split('.'), ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
      )
    const query = (text: string) =>
      Buffer.concat([
        Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        name(text),
        Buffer.from([0, 1, 0, 1]),
      ])
    const [own] = await answers(at(web.id), '10.0.0.1', datagram(53, query('db.one')))
    expect(own?.type === 'udp' && own.data.includes(ipBytes(db.ip))).toBe(true)
    const [, resolver = ''] =
      /^nameserver (\d+\.\d+\.\d+\.\d+)/m.exec(runWords(['cat', '/etc/resolv.conf'])) ?? []
    const place = resolver.startsWith('127.') ? host : world
    if (place === world) place.run('ip', 'addr', 'add', `${resolver}/32`, 'dev', 'lo')
    const config = 'no-hosts\nno-resolv\nbind-interfaces\naddress=/elsewhere.test/198.18.0.9\n'
    place.start(
      config,
      'dnsmasq',
      '--keep-in-foreground',
      '--conf-file=-',
      '--pid-file=',
      `--listen-address=${resolver}`,
    )
    await eventually(
      () => answers(at(web.id), '10.0.0.1', datagram(53, query('elsewhere.test'))),
      ([other]) => other?.type === 'udp' && other.data.includes(ipBytes('198.18.0.9')),
    )
  })

  test('outlive the process, and begin anew when their holder has ended', async () => {
    await networks.kill()
    networks = await start()
    expect(await networks.call({ call: 'inForce' })).toEqual({ one: 1 })
    expect(await answers(at(web.id), '198.18.0.1', syn(80))).toMatchObject([
      { flags: tcpFlags.syn | tcpFlags.ack },
    ])
    await networks.kill()
    await endProcesses(
      (await findProcesses((word) => word.startsWith(folder))).filter(({ words }) => words[0] === 'tail'),
    )
    networks = await start()
    expect(await networks.call({ call: 'inForce' })).toEqual({})
    expect(await networks.call({ call: 'apply', network: vpc(2) })).toBe(2)
    expect(await networks.call({ call: 'inForce' })).toEqual({ one: 2 })
    await networks.call({ call: 'remove', ids: ['one'] })
    expect(await networks.call({ call: 'inForce' })).toEqual({})
  })

  test('go from the host by the command, with and without their records', async () => {
    const command = await bundled('src/testing/fake-gantry.ts')
    closers.push(command.remove)
    await chmod(path.dirname(command.file), 0o755)
    const clean = (...words: string[]) =>
      runWords([
        ...asUser,
        process.execPath,
        command.file,
        ...'fleet clean --yes --data-dir'.split(' '),
        path.dirname(folder),
        ...words,
      ])
    const id = path.join(folder, 'id')
    for (const isKept of [true, false]) {
      expect(await networks.call({ call: 'apply', network: vpc(3) })).toBe(3)
      await networks.kill()
      if (isKept) await writeFile(id, 'abcdef\n')
      else await rm(id)
      expect(clean()).toContain('end networks of a user')
      expect(await ownProcesses()).toEqual([])
      networks = await start()
    }
  })
})
