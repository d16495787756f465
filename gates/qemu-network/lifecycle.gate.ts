import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import type { VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { dice } from '../../packages/control-plane/src/modules/packets/random-network.fixtures.ts'
import { lockDataDir } from '../../packages/server/src/database/data-dir-lock.ts'
import { type CleanOptions, cleanHost, linesOf } from '../../packages/server/src/fleet/qemu/host/clean.ts'
import { QemuNetworks } from '../../packages/server/src/fleet/qemu/network/networks.ts'
import { dnsmasqProcesses } from '../../packages/server/src/fleet/qemu/network/dnsmasq.ts'
import { endProcesses, findProcesses } from '../../packages/server/src/fleet/qemu/network/processes.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import { startNetworks } from './network-process.ts'
import { EXTERNAL, need, outside, playOutside, runWords, specOf, Stage, whySkipped } from './stage.ts'
import { allow, carried, guestOf, vpcOf } from './vpcs.ts'

const web = guestOf('web', '10.0.0.5', { external: [carried('floating', '192.0.2.105')] })
const db = guestOf('db', '10.0.0.6', { external: [carried('snat', '192.0.2.101', [16_384, 32_767])] })
const vpc = (id: string, generation: number, interfaces = [web, db]): VpcNetwork => {
  const made = vpcOf(id, generation, interfaces, [allow(interfaces)])
  // A route to an interface, so that every kind of object is there.
  const routes = { block: '172.16.0.0/16', hop: { type: 'interface', interface_id: web.id } as const }
  return {
    ...made,
    subnets: made.subnets.map((subnet) => ({ ...subnet, routes: [...subnet.routes, routes] })),
  }
}

/** The commands that run in the namespaces of a stage, other than the servers of addresses. */
async function commandsIn(tag: string): Promise<string[]> {
  const names = runWords(['ip', 'netns', 'list']).match(/^\S+/gm) ?? []
  const pids = names
    .filter((name) => name.includes(tag))
    .flatMap((name) => runWords(['ip', 'netns', 'pids', name]).match(/\d+/g) ?? [])
  const commands = pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''))
  return (await Promise.all(commands))
    .map((name) => name.trim())
    .filter((name) => !['', 'dnsmasq'].includes(name))
}

const skipped = whySkipped()
if (skipped) console.log(`the life of networks is skipped: ${skipped}`)

describe.skipIf(skipped)('networks of a host', () => {
  let stage: Stage
  beforeEach(async () => void (stage = await Stage.set()))
  afterEach(() => {
    vi.unstubAllEnvs()
    return stage.close()
  })

  const namespaces = (): string[] =>
    runWords(['ip', 'netns', 'list'])
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
      .filter((name) => name.startsWith(`gantry-${stage.tag}-`))
      .sort()
  const processes = async (): Promise<string[]> =>
    (await dnsmasqProcesses(path.join(stage.folder, 'networks'))).map(({ of }) => of).sort()
  /** Everything on the host that could be left behind, but for the order of things. */
  async function everything(): Promise<unknown> {
    const lines = (text: string) =>
      text
        .split('\n')
        .map((line) => line.trim().replace(/^\d+: /, ''))
        .sort()
    return {
      namespaces: namespaces(),
      processes: await processes(),
      links: lines(stage.run('ip', '-brief', 'link', 'show').replaceAll(/<.*>|@if\d+/g, '')),
      routes: lines(stage.run('ip', 'route', 'show', 'table', 'all')),
      proxies: lines(stage.run('ip', 'neigh', 'show', 'proxy')),
      rules: lines(stage.run('nft', 'list', 'table', 'ip', `gantry-${stage.tag}`)),
      folders: (await readdir(path.join(stage.folder, 'networks'))).sort(),
    }
  }

  test('leave nothing behind when they are removed, and others alone', async () => {
    const before = await everything()
    await stage.networks.apply(vpc('one', 1))
    await stage.enter(vpc('one', 1))
    const withOne = await everything()
    expect(withOne).not.toEqual(before)
    expect(stage.run('ip', 'neigh', 'show', 'proxy')).toContain('192.0.2.105')
    const two = vpc('two', 1, [
      { ...web, external: [carried('floating', '192.0.2.125')] },
      { ...db, external: [] },
    ])
    await stage.networks.apply(two)
    await stage.networks.remove(['two', 'unknown'])
    expect(await everything()).toEqual(withOne)
    await stage.networks.remove(['one'])
    await stage.networks.remove(['one'])
    expect(await everything()).toEqual(before)
    expect(await stage.networks.inForce()).toEqual(new Map())
  })

  test('say what is in force, also after a restart, and go on from there', async () => {
    await stage.networks.apply(vpc('one', 4))
    await stage.networks.apply(vpc('two', 7, [{ ...web, external: [] }]))
    const { taps } = await stage.enter(vpc('one', 4))
    const before = await everything()
    await stage.restart()
    expect(await stage.networks.inForce()).toEqual(
      new Map([
        ['one', 4],
        ['two', 7],
      ]),
    )
    expect(await everything()).toEqual(before)
    expect((await stage.enter(vpc('one', 4))).taps).toEqual(taps)
    expect(await stage.networks.apply(vpc('one', 3, []))).toBe(4)
    expect(await everything()).toEqual(before)
  })

  test('no longer answer on an external interface that is not set any more', async () => {
    const proxies = () => stage.run('ip', 'neigh', 'show', 'proxy').trim().split(/\s*\n/).sort()
    await stage.networks.apply(vpc('one', 1))
    const answered = proxies()
    expect(answered).not.toEqual([''])
    stage.run('ip', 'tuntap', 'add', 'dev', 'ext1', 'mode', 'tap')
    const others = `192.0.2.200 dev ${EXTERNAL} proxy`
    stage.run('ip', 'neigh', 'add', 'proxy', '192.0.2.200', 'dev', EXTERNAL)
    await stage.restart({ externalInterface: 'ext1' })
    expect(proxies()).toEqual([...answered.map((line) => line.replace(EXTERNAL, 'ext1')), others].sort())
    await stage.restart({})
    expect(proxies()).toEqual([others])
  })

  describe('of two installations with the same pool', () => {
    const address = '192.0.2.105'
    const wayOf = (): string => stage.run('ip', '-oneline', 'route', 'show', `${address}/32`).trim()
    const refusedBy = (networks: QemuNetworks) =>
      [...networks.refused()].map(([id, list]) => [id, list.map(({ ip }) => ip)])
    let second: Stage
    beforeEach(async () => void (second = await stage.beside()))
    afterEach(() => second.close())

    test('the first one keeps an address, and the second one says so and gets it when it is released', async () => {
      await stage.networks.apply(vpc('one', 1))
      const way = wayOf()
      expect(way).toContain(` dev g${stage.tag}v`)
      expect(await second.networks.apply(vpc('copy', 1))).toBe(1)
      expect(wayOf()).toBe(way)
      expect(refusedBy(second.networks)).toEqual([['copy', [address]]])
      expect(second.networks.refused().get('copy')).toMatchObject([
        { ip: address, message: `Another installation on the same host uses ${address}.` },
      ])
      expect(refusedBy(stage.networks)).toEqual([])
      // Its packets do not leave by the address either.
      expect(second.run('nft', 'list', 'set', 'ip', `gantry-${second.tag}`, 'refused')).toContain(address)
      await second.restart()
      await second.networks.inForce()
      expect([wayOf(), refusedBy(second.networks)]).toEqual([way, [['copy', [address]]]])
      // What the second one removes is not the first one's.
      await second.networks.remove(['copy'])
      expect(refusedBy(second.networks)).toEqual([])
      await stage.networks.inForce()
      expect(wayOf()).toBe(way)
      expect(stage.run('ip', 'neigh', 'show', 'proxy')).toContain(address)

      await second.networks.apply(vpc('copy', 2))
      await stage.networks.remove(['one'])
      expect(wayOf()).toBe('')
      expect(await second.networks.inForce()).toEqual(new Map([['copy', 2]]))
      expect(wayOf()).toContain(` dev g${second.tag}v`)
      expect(second.run('ip', 'neigh', 'show', 'proxy')).toContain(address)
      expect(refusedBy(second.networks)).toEqual([])
    })

    test('only one of them gets an address that both take at once', async () => {
      for (let round = 1; round <= 5; round++) {
        await Promise.all([
          stage.networks.apply(vpc('one', round)),
          second.networks.apply(vpc('copy', round)),
        ])
        const refused = [stage, second].filter(({ networks }) => networks.refused().size > 0)
        expect(refused).toHaveLength(1)
        expect(wayOf()).not.toContain(` dev g${refused[0]?.tag}v`)
        await stage.networks.remove(['one'])
        await second.networks.remove(['copy'])
      }
    })

    test('an address that was taken over is told, and taken back when it is free', async () => {
      await stage.networks.apply(vpc('one', 1))
      const way = wayOf()
      await second.networks.apply(vpc('copy', 1, [{ ...web, external: [] }]))
      const link =
        second.run('ip', '-brief', 'link', 'show').match(new RegExp(`g${second.tag}v\\d+`))?.[0] ?? ''
      // As an earlier version did.
      stage.run('ip', 'route', 'replace', address, 'dev', link)
      await stage.networks.inForce()
      expect(refusedBy(stage.networks)).toEqual([['one', [address]]])
      expect(wayOf()).toContain(` dev ${link}`)
      stage.run('ip', 'route', 'del', address, 'dev', link)
      await stage.networks.inForce()
      expect([wayOf(), refusedBy(stage.networks)]).toEqual([way, []])
    })
  })

  test('restore routes and answers that somebody removed, and refuse those of the host', async () => {
    await stage.networks.apply(vpc('one', 1))
    const before = await everything()
    stage.run('ip', 'route', 'del', '192.0.2.105')
    stage.run('ip', 'neigh', 'del', 'proxy', '192.0.2.105', 'dev', EXTERNAL)
    await stage.networks.inForce()
    expect(await everything()).toEqual(before)
    const messages = () => [...stage.networks.refused().values()].flat().map(({ message }) => message)
    expect(messages()).toEqual([])

    const others = (ip: string) => vpc('one', 2, [{ ...web, external: [carried('floating', ip)] }])
    await stage.networks.apply(others(outside.host))
    expect(messages()).toEqual([`${outside.host} is an address of the host itself.`])
    stage.run('ip', 'route', 'add', '192.0.2.106/32', 'dev', EXTERNAL)
    await stage.networks.apply({ ...others('192.0.2.106'), generation: 3 })
    expect(messages()).toEqual([`The host has a route of its own for 192.0.2.106, by ${EXTERNAL}.`])
    stage.run('ip', 'route', 'del', '192.0.2.106/32', 'dev', EXTERNAL)
    await stage.networks.inForce()
    expect(messages()).toEqual([])
  })

  describe('of a VPC whose record cannot be read', () => {
    const one = vpc('one', 3)
    const others = [
      { ...web, external: [carried('floating', '192.0.2.125')] },
      { ...db, external: [] },
    ]
    const record = () => path.join(stage.folder, 'networks', 'one', 'network.json')
    /** Everything of the VPC that its machines use. */
    const parts = async () => ({
      namespaces: namespaces().filter((name) => name.endsWith('-v-one')),
      taps: runWords([...words(), 'ip', '-oneline', 'link', 'show']),
      processes: (await dnsmasqProcesses(path.join(stage.folder, 'networks'))).filter(
        ({ of }) => of === 'one',
      ),
      link: stage.run('ip', '-oneline', 'link', 'show', link),
      routes: stage.run('ip', 'route', 'show', 'dev', link),
      proxies: stage.run('ip', 'neigh', 'show', 'proxy'),
    })
    const words = () => ['nsenter', `--net=/run/netns/gantry-${stage.tag}-v-one`, '--']
    let [link, whole] = ['', '']
    let clean: unknown

    beforeEach(async () => {
      clean = await everything()
      await stage.networks.apply(one)
      await stage.enter(one)
      link = need(/g\S+v\d+/.exec(stage.run('ip', '-brief', 'link', 'show'))?.[0])
      whole = await readFile(record(), 'utf8')
    })

    test.each([
      ['is damaged', () => writeFile(record(), whole.slice(0, 100))],
      [
        'cannot be opened',
        async () => {
          await rm(record())
          await mkdir(record())
        },
      ],
    ])('are left alone if it %s, and go on once it is mended', async (_, damage) => {
      const before = await parts()
      await damage()
      await stage.restart()
      expect(stage.logged).toMatchObject([{ vpc: 'one' }])
      // Another VPC comes and goes meanwhile, with nothing of the first.
      const two = vpc('two', 1, others)
      await stage.networks.apply(two)
      const { taps } = await stage.enter(two)
      expect(taps.size).toBe(2)
      expect(await stage.networks.inForce()).toEqual(new Map([['two', 1]]))
      await stage.networks.remove(['two'])
      await stage.restart()
      expect(await parts()).toEqual({ ...before, proxies: expect.stringContaining('192.0.2.105') })

      await expect(stage.networks.apply(vpc('one', 4))).rejects.toThrow('cannot be read')
      await expect(stage.networks.attach(specOf(one, 'machine-web'), 0)).rejects.toThrow('not in force')
      expect(await parts()).toMatchObject({ taps: before.taps, link: before.link, routes: before.routes })
      await rm(record(), { recursive: true })
      await expect(stage.networks.apply(vpc('one', 4))).rejects.toThrow('cannot be read')
      await writeFile(record(), whole)
      expect(await stage.networks.apply(vpc('one', 2))).toBe(3)
      expect(await stage.networks.apply(vpc('one', 4))).toBe(4)
      expect(await stage.networks.inForce()).toEqual(new Map([['one', 4]]))
      expect(await parts()).toMatchObject({ taps: before.taps, link: before.link, routes: before.routes })
    })

    test('are removed when they are no longer wanted', async () => {
      await writeFile(record(), '')
      await stage.restart()
      // The kernel keeps a namespace for longer than `ip` says; for certain while a process is in it.
      const [program, ...args] = [...words(), 'sleep', '600']
      const inside = spawn(program, args, { stdio: 'ignore' })
      try {
        await eventually(
          async () => runWords(['ip', 'netns', 'pids', need(namespaces()[0])]).split('\n'),
          (pids) => pids.includes(String(inside.pid)),
        )
        await stage.networks.remove(['one'])
        expect(await everything()).toEqual(clean)
      } finally {
        inside.kill()
      }
      await stage.networks.apply(one)
      expect(await stage.networks.inForce()).toEqual(new Map([['one', 3]]))
    })
  })

  const written = () => path.join(stage.folder, 'networks', 'host', 'host.json')

  test('start if an address was written down of which nothing else was done', async () => {
    const before = await everything()
    const kept = JSON.parse(await readFile(written(), 'utf8'))
    await writeFile(written(), JSON.stringify({ ...kept, proxied: ['192.0.2.105'] }))
    await stage.restart()
    expect(await everything()).toEqual(before)
  })

  test('do not start from what the host wrote about itself if that is damaged', async () => {
    await writeFile(written(), '{"base":')
    const before = stage.run('nft', 'list', 'ruleset')
    await expect(stage.restart()).rejects.toThrow('host.json is damaged')
    expect(stage.run('nft', 'list', 'ruleset')).toBe(before)
  })

  test('are brought into force again as far as something of them is gone', async () => {
    await stage.networks.apply(vpc('one', 1))
    await stage.enter(vpc('one', 1))
    const before = await everything()
    const inside = ['nsenter', `--net=/run/netns/${need(namespaces()[0])}`, '--']
    const [link = ''] = /g\S+v\d+/.exec(stage.run('ip', '-brief', 'link', 'show')) ?? []
    const damages: Record<string, () => unknown> = {
      dnsmasq: async () =>
        endProcesses(
          (await dnsmasqProcesses(path.join(stage.folder, 'networks'))).filter(({ of }) => of === 'one'),
        ),
      rules: () => runWords([...inside, 'nft', 'flush', 'ruleset']),
      link: () => stage.run('ip', 'link', 'del', link),
      namespace: () => runWords(['ip', 'netns', 'del', need(namespaces()[0])]),
    }
    for (const [what, damage] of Object.entries(damages)) {
      await damage()
      expect([what, await stage.networks.inForce()]).toEqual([what, new Map()])
      await stage.networks.apply(vpc('one', 1))
      await stage.enter(vpc('one', 1))
      expect([what, await stage.networks.inForce()]).toEqual([what, new Map([['one', 1]])])
      expect([what, await everything()]).toEqual([what, before])
    }
  })

  test('stay in force if the host was looked at just before they were brought into it', async () => {
    const plain = guestOf('plain', '10.0.0.5')
    for (const id of ['one', 'two', 'three', 'four']) {
      const made = vpcOf(id, 1, [plain], [allow([plain])])
      await Promise.all([stage.networks.inForce(), stage.networks.apply(made)])
      const { taps } = await stage.networks.attach(specOf(made, 'machine-plain'), 0)
      expect(taps.size).toBe(1)
      await stage.networks.detach('machine-plain')
    }
  })

  test("keep the host's part of it in repair", async () => {
    const before = await everything()
    await endProcesses(await dnsmasqProcesses(path.join(stage.folder, 'networks')))
    stage.run('nft', 'flush', 'ruleset')
    await stage.restart()
    expect(await everything()).toEqual(before)
  })

  test('bring the rules of the host back into force that something else removed, before packets are forwarded', async () => {
    await stage.networks.apply(vpc('one', 1))
    const before = await everything()
    const setting = `/proc/sys/net/ipv4/conf/${EXTERNAL}/forwarding`
    const removeRules = () => {
      stage.run('nft', 'flush', 'ruleset')
      stage.run('sh', '-c', `echo 0 >${setting}`)
    }
    removeRules()
    // While they cannot come back, nothing is forwarded.
    const programs = path.join(stage.folder, 'programs')
    await mkdir(programs)
    const refusing = '#!/bin/sh\n[ "$1" != -f ] || exit 7\nPATH=${PATH#*:}\nexec nft "$@"\n'
    await writeFile(path.join(programs, 'nft'), refusing, { mode: 0o755 })
    vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(stage.networks.inForce()).rejects.toThrow('ended with 7')
      expect(stage.run('cat', setting).trim()).toBe('0')
    }
    vi.unstubAllEnvs()
    expect(await stage.networks.inForce()).toEqual(new Map([['one', 1]]))
    expect(await everything()).toEqual(before)
    expect(stage.run('cat', setting).trim()).toBe('1')
    // They come first: a resolver that does not start is no reason to go without.
    removeRules()
    await endProcesses(
      (await dnsmasqProcesses(path.join(stage.folder, 'networks'))).filter(({ of }) => of === 'host'),
    )
    await writeFile(path.join(programs, 'dnsmasq'), '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    await rm(path.join(programs, 'nft'))
    vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
    await expect(stage.networks.inForce()).rejects.toThrow('ended with 7')
    vi.unstubAllEnvs()
    expect(await everything()).toMatchObject({ rules: (before as { rules: string[] }).rules })
  })

  test.each(['dnsmasq', 'nft'])(
    'make no router of the host before its rules are in force, as when %s fails',
    async (program) => {
      const setting = `/proc/sys/net/ipv4/conf/${EXTERNAL}/forwarding`
      const isForwarding = () => stage.run('cat', setting).trim() === '1'
      expect(isForwarding()).toBe(true)
      stage.run('sh', '-c', `echo 0 >${setting}`)
      await endProcesses(await dnsmasqProcesses(path.join(stage.folder, 'networks')))
      const programs = path.join(stage.folder, 'programs')
      await mkdir(programs)
      await writeFile(path.join(programs, program), '#!/bin/sh\nexit 7\n', { mode: 0o755 })
      vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
      await expect(stage.restart()).rejects.toThrow('ended with 7')
      expect(isForwarding()).toBe(false)
      vi.unstubAllEnvs()
      await stage.restart()
      expect(isForwarding()).toBe(true)
    },
  )

  test('give a machine its taps once they are in force, to its user, and take them away', async () => {
    const spec = specOf(vpc('one', 1), 'machine-web')
    await expect(stage.networks.attach(spec, 1234)).rejects.toThrow('not in force')
    await stage.networks.apply(vpc('one', 1, [db]))
    await expect(stage.networks.attach(spec, 1234)).rejects.toThrow('does not have the interface')
    await stage.networks.apply(vpc('one', 2))
    const { prefix, taps } = await stage.networks.attach(spec, 1234)
    const name = need(taps.get(web.id))
    const details = () => runWords([...prefix, 'ip', '-details', 'link', 'show', name])
    expect(details()).toContain('user 1234')
    expect(details()).toContain('persist on')
    const index = details().split(':')[0]
    await Promise.all([stage.networks.attach(spec, 1234), stage.networks.attach(spec, 1234)])
    expect(details().split(':')[0]).toBe(index)
    await stage.networks.attach(spec, 77)
    expect(details()).toContain('user 77')
    expect([...(await stage.networks.counters([web.id, db.id])).keys()]).toEqual([web.id])
    await stage.networks.detach('machine-web')
    await stage.networks.detach('machine-web')
    expect(() => details()).toThrow('does not exist')
    // The next start of the instance is another machine.
    await stage.networks.attach(spec, 77)
    const next = { ...web, machine_id: 'machine-next' }
    await stage.networks.apply(vpc('one', 3, [next, db]))
    expect(() => details()).toThrow('does not exist')
    await stage.networks.attach(specOf(vpc('one', 3, [next, db]), 'machine-next'), 77)
  })

  test('give a machine without interfaces a namespace with nothing in it', async () => {
    const spec = { ...specOf(vpc('one', 1), 'nobody'), id: 'lonely' }
    const before = namespaces()
    const { prefix, taps } = await stage.networks.attach(spec, 0)
    await stage.networks.attach(spec, 0)
    expect(taps.size).toBe(0)
    expect(runWords([...prefix, 'ip', '-brief', 'link', 'show'])).toMatch(/^lo +DOWN.*\n$/)
    expect(runWords([...prefix, 'ip', 'route', 'show', 'table', 'all'])).toBe('')
    await stage.networks.detach('lonely')
    expect(namespaces()).toEqual(before)
  })

  test('are cleaned at a start of what belongs to nobody', async () => {
    const before = await everything()
    await stage.networks.apply(vpc('one', 1))
    await stage.enter(vpc('one', 1))
    await stage.networks.attach({ ...specOf(vpc('one', 1), 'nobody'), id: 'gone' }, 0)
    runWords(['rm', '-r', path.join(stage.folder, 'networks', 'one')])
    await stage.restart()
    expect(await everything()).toEqual(before)
    await stage.networks.apply(vpc('one', 1))
    const { words } = await stage.enter(vpc('one', 1))
    runWords(['rm', '-r', path.join(stage.folder, 'machines', 'machine-web')])
    await stage.restart()
    expect(runWords([...words, 'ip', '-brief', 'link', 'show']).match(/^t\S+/gm)).toHaveLength(1)
  })

  test('of two installations on one host keep apart', async () => {
    const { host: hostNamespace } = stage
    const folder = path.join(stage.folder, 'second')
    const options = { folder, tag: 'abcdef', hostNamespace, log: stage.log }
    const [second, third] = await Promise.all([
      QemuNetworks.open(options),
      QemuNetworks.open({ ...options, folder: path.join(stage.folder, 'third'), tag: 'fedcba' }),
    ])
    const blocks = stage.run('ip', 'route', 'show').matchAll(/^100\.\d+\.0\.0\/16/gm)
    expect(new Set([...blocks].map(([block]) => block)).size).toBe(3)
    await stage.networks.apply(vpc('one', 1))
    const before = await everything()
    await second.apply(vpc('one', 5, [{ ...web, external: [] }]))
    expect([await stage.networks.inForce(), await second.inForce(), await third.inForce()]).toEqual([
      new Map([['one', 1]]),
      new Map([['one', 5]]),
      new Map(),
    ])
    // Nor does one stop the packets of the other, though neither forwards for others.
    const { world, close } = await playOutside(stage)
    const guests = await stage.powerOn(vpc('one', 1))
    const { end, gatewayMac } = need(guests.byId.get(web.id))
    const content = { type: 'udp', source: 5000, destination: 5000, data: Buffer.from('x') } as const
    const seen: string[] = []
    world.onFrame(({ ip }) => ip?.content.type === 'udp' && seen.push(ip.source))
    await eventually(
      async () => {
        const ip = { source: web.ip, destination: '198.18.0.1', id: 7, content }
        end.send({ from: web.mac.toLowerCase(), to: gatewayMac, ip })
        return seen
      },
      (sources) => sources.includes('192.0.2.105'),
    )
    await guests.powerOff()
    await close()
    await stage.networks.detach('machine-web')
    await stage.networks.detach('machine-db')
    await second.remove(['one'])
    expect(await everything()).toEqual(before)
    for (const name of ['second', 'third'])
      await endProcesses(await dnsmasqProcesses(path.join(stage.folder, name, 'networks')))
  })

  describe('of an installation whose server is gone', () => {
    const setting = `/proc/sys/net/ipv4/conf/${EXTERNAL}/forwarding`
    const isForwarding = () => stage.run('cat', setting).trim() === '1'
    /** Everything that the host has. */
    const onHost = async () => ({
      namespaces: namespaces(),
      links: stage.run('ip', '-brief', 'link', 'show').match(/^\S+/gm)?.sort(),
      routes: stage.run('ip', 'route', 'show', 'table', 'all').split('\n').sort(),
      proxies: stage.run('ip', 'neigh', 'show', 'proxy').trim().split('\n').sort(),
      rules: stage.run('nft', 'list', 'ruleset'),
      servers: (await findProcesses((word) => word.includes(`${stage.folder}/networks/`))).length,
      forwarding: isForwarding(),
    })
    const cleaned = async (options: Partial<CleanOptions> = {}, isConfirmed = true): Promise<string> => {
      let listed = ''
      await cleanHost({ folder: stage.folder, hostNamespace: stage.host, ...options }, async (found) => {
        listed = linesOf(found).join('\n')
        return isConfirmed
      })
      return listed
    }
    beforeEach(async () => {
      await writeFile(path.join(stage.folder, 'id'), `${stage.tag}\n`)
      await stage.networks.apply(vpc('one', 1))
      await stage.enter(vpc('one', 1))
      await stage.networks.attach({ ...specOf(vpc('one', 1), 'nobody'), id: 'lonely' }, 0)
    })

    test('everything goes from the host, and it serves again afterwards', async () => {
      const [before, everythingBefore] = [await onHost(), await everything()]
      const listed = await cleaned({}, false)
      expect(await onHost()).toEqual(before)
      for (const what of [EXTERNAL, '192.0.2.105', '192.0.2.101', `g${stage.tag}n`, '-v-one', '-m-lonely'])
        expect(listed).toContain(what)
      expect(await cleaned()).toBe(listed)
      expect(await onHost()).toEqual({
        namespaces: [],
        links: ['ext0', 'lo'],
        routes: before.routes.filter((line) => !line.includes(stage.tag)),
        proxies: [''],
        rules: '',
        servers: 0,
        forwarding: false,
      })
      expect(await cleaned()).toBe('')
      await stage.restart()
      await stage.networks.apply(vpc('one', 1))
      await stage.enter(vpc('one', 1))
      await stage.networks.attach({ ...specOf(vpc('one', 1), 'nobody'), id: 'lonely' }, 0)
      expect(await everything()).toEqual(everythingBefore)
      await stage.networks.detach('lonely')
    })

    test.each(['its folder', 'its tag'])(
      'everything goes once the records are gone, known by %s',
      async (how) => {
        const lost = `${stage.folder}-lost`
        await rename(stage.folder, lost)
        try {
          await cleaned(how === 'its tag' ? { folder: '/nowhere', tag: stage.tag } : {})
          expect(await onHost()).toMatchObject({ namespaces: [], rules: '', servers: 0, forwarding: false })
          expect((await onHost()).links).toEqual(['ext0', 'lo'])
          expect((await onHost()).proxies).toEqual([''])
        } finally {
          await rename(lost, stage.folder)
        }
        await stage.restart()
      },
    )

    test('what another installation has stays, with its forwarding until it goes too', async () => {
      const second = await stage.beside()
      try {
        await writeFile(path.join(second.folder, 'id'), `${second.tag}\n`)
        await second.networks.apply(
          vpc('copy', 1, [{ ...web, external: [carried('floating', '192.0.2.125')] }]),
        )
        const links = () => second.run('ip', '-brief', 'link', 'show').match(/^g\S+/gm)
        await expect(cleaned({ folder: '/nowhere' })).rejects.toThrow(`  ${stage.tag}  ${stage.folder}`)
        await cleaned()
        expect(links()?.every((name) => name.includes(second.tag))).toBe(true)
        expect(second.run('ip', 'neigh', 'show', 'proxy').trim()).toBe(`192.0.2.125 dev ${EXTERNAL} proxy`)
        expect(isForwarding()).toBe(true)
        await second.networks.inForce()
        expect(await second.networks.inForce()).toEqual(new Map([['copy', 1]]))
        await cleaned({ folder: second.folder })
        expect(links()).toBeNull()
        expect(isForwarding()).toBe(false)
        await second.restart()
      } finally {
        await second.close()
      }
      await stage.restart()
    })

    test('nothing goes while its server runs', async () => {
      const lock = await lockDataDir(stage.folder)
      const before = await onHost()
      await expect(cleaned()).rejects.toThrow('is in use by process')
      await lock.release()
      expect(await onHost()).toEqual(before)
      await stage.networks.detach('lonely')
    })

    test('forwarding that was on before stays on', async () => {
      await cleaned()
      stage.run('sh', '-c', `echo 1 >${setting}`)
      await stage.restart()
      await stage.networks.apply(vpc('one', 1))
      await cleaned()
      expect(isForwarding()).toBe(true)
      await stage.restart()
    })
  })

  describe('whose process is killed at any moment', () => {
    let program: Awaited<ReturnType<typeof bundled>>
    beforeAll(async () => void (program = await bundled('src/testing/network-process.ts')))
    afterAll(() => program.remove())

    test('are whole after the next start, and leave nothing behind', async () => {
      const seed = Number(process.env.GANTRY_KILL_SEED ?? 7)
      const rounds = Number(process.env.GANTRY_KILL_ROUNDS ?? 40)
      console.log(`seed ${seed}: ${rounds} kills`)
      const roll = dice(seed)
      const clean = await everything()
      const { folder, tag, host: hostNamespace } = stage
      const options = { folder, tag, hostNamespace, externalInterface: EXTERNAL }
      const removeAll = async () => {
        await stage.networks.remove(['one'])
        expect(await everything()).toEqual(clean)
      }
      let generation = 0
      for (let round = 0; round < rounds; round++) {
        const victim = await startNetworks(program.file, options)
        const state = () =>
          vpc(
            'one',
            ++generation,
            roll(2)
              ? [web, db]
              : [
                  { ...web, external: db.external },
                  { ...db, external: web.external },
                ],
          )
        const end = (async () => {
          for (;;) {
            const wanted = state()
            await victim.call({ call: 'apply', network: wanted })
            await victim.call({ call: 'enter', spec: specOf(wanted, 'machine-web'), uid: 0 })
            if (roll(2)) await victim.call({ call: 'leave', machineId: 'machine-web' })
            if (roll(3) === 0) await victim.call({ call: 'remove', ids: ['one'] })
          }
        })().catch(String)
        await sleep(roll(600))
        await victim.kill()
        // Until then it did all that it was told, and had nothing to complain about.
        expect(await end).toBe('Error: the process has ended: ')
        // The commands that the process had begun run to their end.
        await eventually(
          async () => commandsIn(tag),
          (commands) => commands.length === 0,
        )

        await stage.restart()
        const inForce = (await stage.networks.inForce()).get('one')
        expect(inForce === undefined || inForce <= generation).toBe(true)
        const last = vpc('one', ++generation)
        expect(await stage.networks.apply(last)).toBe(generation)
        await stage.enter(last)
        expect(await stage.networks.inForce()).toEqual(new Map([['one', generation]]))
        if (round % 4 === 0) await removeAll()
      }
      await removeAll()
    })
  })
})
