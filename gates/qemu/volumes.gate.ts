import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { OutOfSpace } from '../../packages/control-plane/src/blocks/block-store.ts'
import type { MachineSpec } from '../../packages/control-plane/src/fleet/fleet.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { SCRATCH_NODE } from '../../packages/server/src/fleet/qemu/machine/arguments.ts'
import { diskNode } from '../../packages/server/src/fleet/qemu/machine/disk-devices.ts'
import { fleetFolder } from '../../packages/server/src/fleet/qemu/host/folders.ts'
import { hostCommand } from '../../packages/server/src/fleet/qemu/host/host-command.ts'
import { connectQmp } from '../../packages/server/src/fleet/qemu/machine/qmp.ts'
import { copyOfVolume } from '../../packages/server/src/fleet/qemu/volumes/volume-copies.ts'
import { freeSpace } from '../../packages/server/src/space/free-space.ts'
import {
  bootDisk,
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
  volumeFileIn,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'
import { smallVolume } from '../../packages/server/src/testing/small-volume.ts'
import { haltedCopy } from './halted-copy.ts'

const missing = await missingForQemu()
if (missing) console.warn(`skipped: volumes of real machines, ${missing}`)

/** Where the guest counts; the second follows the first. */
const counters = [8 * 512, 122_880 * 512] as const

describe.skipIf(missing)('the disk of a running machine', () => {
  let real: RealFleet
  let on: ReturnType<typeof machinesOf>
  beforeAll(async () => {
    real = await realFleet()
    on = machinesOf(real)
  })
  afterAll(() => real.remove())
  afterEach(async () => {
    const { machines } = real.fleet
    await machines.destroy(await machines.list(undefined, 1000))
  })

  const bootVolume = ({ disks }: MachineSpec) => disks.at(-1) ?? { content_id: '', size: 0 }
  const snapshotOf = async (spec: MachineSpec): Promise<string> => {
    const { content_id: volume, size } = bootVolume(spec)
    const content_id = crypto.randomUUID()
    await real.fleet.volumes.snapshot(volume, { content_id, size })
    return content_id
  }
  const countsIn = async (object: string): Promise<[number, number]> => {
    const [first, second] = await Promise.all(counters.map((offset) => real.blocks.read(object, offset, 4)))
    return [numberIn(first), numberIn(second)]
  }
  /** A machine that counts on its disk, with bytes between the two counters that take time to copy. */
  async function counting(): Promise<MachineSpec> {
    const boot = await bootDisk(real.fleet)
    const bytes = randomBytes(MiB)
    for (let at = 2; at < 50; at++) await real.fleet.volumes.write(boot.content_id, at * MiB, bytes)
    const spec = machineSpec({ disks: [boot] })
    await real.fleet.machines.ensure(spec)
    await on.says(spec.id, 'guest ready')
    await on.type(spec.id, 'W')
    await on.says(spec.id, '..')
    return spec
  }

  test('is copied at one point in time, while its guest goes on writing', async () => {
    const spec = await counting()
    const seen: number[] = []
    for (let round = 0; round < 5; round++) {
      const [first, second] = await countsIn(await snapshotOf(spec))
      expect([second, second + 1]).toContain(first)
      seen.push(second)
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(await on.report(spec.id)).toMatchObject({ state: 'running', reason: null })
  })

  test('is copied by each server that finds its machine running, more than once', async () => {
    const spec = await counting()
    for (let round = 0; round < 2; round++) {
      await real.restarted()
      for (let copy = 0; copy < 2; copy++) {
        const [first, second] = await countsIn(await snapshotOf(spec))
        expect([second, second + 1]).toContain(first)
      }
    }
  })

  test('has copies that were asked for together, and one that was asked for twice', async () => {
    const spec = await counting()
    const { content_id: volume, size } = bootVolume(spec)
    const content_id = crypto.randomUUID()
    const twice = { content_id, size }
    const copies = await Promise.all([
      snapshotOf(spec),
      snapshotOf(spec),
      real.fleet.volumes.snapshot(volume, twice).then(() => content_id),
      real.fleet.volumes.snapshot(volume, twice).then(() => content_id),
    ])
    for (const copy of copies) {
      const [first, second] = await countsIn(copy)
      expect([second, second + 1]).toContain(first)
    }
  })

  test('leaves nothing behind when it was copied: neither in QEMU nor on disk', async () => {
    const spec = await counting()
    await snapshotOf(spec)
    const folder = machineFolderIn(real.dataDir, spec.id)
    expect((await fs.stat(path.join(folder, 'scratch'))).size).toBe(0)
    expect(await fs.readdir(path.join(folder, 'exports'))).toEqual([])
    expect((await fs.stat(path.join(folder, 'exports'))).uid).toBe(process.getuid?.())
    const volumes = await fs.readdir(volumesIn(real.dataDir))
    expect(volumes.filter((name) => name.startsWith('.'))).toEqual([])
    const links = await openFilesOf(await on.process(spec.id))
    expect(links.filter((link) => link.includes('/blocks/'))).toEqual([])
  })

  test('has no copy, and no half of one, when the machine is killed meanwhile', async () => {
    const spec = await counting()
    const { content_id: volume, size } = bootVolume(spec)
    const content_id = crypto.randomUUID()
    const copy = real.fleet.volumes.snapshot(volume, { content_id, size }).then(
      () => 'copied',
      () => 'failed',
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
    process.kill(await on.process(spec.id), 'SIGKILL')
    const outcome = await copy
    expect(await real.blocks.size(content_id)).toBe(outcome === 'copied' ? size : undefined)
    // Asked again, it is copied as any disk that nothing uses.
    await on.becomes(spec.id, 'failed')
    await real.fleet.volumes.snapshot(volume, { content_id, size })
    const [first, second] = await countsIn(content_id)
    expect([second, second + 1]).toContain(first)
  })

  const halted = (): Promise<number> => haltedCopy((pid) => pid === process.pid)

  test.each([
    ['stopped', (id: string) => real.fleet.machines.stop(id, new Date())],
    ['destroyed', (id: string) => real.fleet.machines.destroy([id])],
  ])('is copied from the beginning when its machine is %s meanwhile', async (_, end) => {
    const spec = await counting()
    const copy = snapshotOf(spec)
    const pid = await halted()
    await end(spec.id)
    process.kill(pid, 'SIGCONT')
    const [first, second] = await countsIn(await copy)
    expect([second, second + 1]).toContain(first)
    const volumes = await fs.readdir(volumesIn(real.dataDir))
    expect(volumes.filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('is named with the cause by a copy that fails, also where QEMU no longer answers', async () => {
    const spec = await counting()
    const failure = messageOf(snapshotOf(spec))
    const [copying, machine] = [await halted(), await on.process(spec.id)]
    process.kill(machine, 'SIGSTOP')
    process.kill(copying, 'SIGKILL')
    expect(await failure).toMatch(/^The disk boot of tested: .*qemu-img convert .* was ended by SIGKILL/)
    process.kill(machine, 'SIGCONT')
    const [first, second] = await countsIn(await snapshotOf(spec))
    expect([second, second + 1]).toContain(first)
  })

  /** Where a copy leaves things: the scratch file, QEMU's socket, and unfinished folders. */
  const remnants = async (id: string) => {
    const folder = machineFolderIn(real.dataDir, id)
    const { size } = await fs.stat(path.join(folder, 'scratch'))
    const volumes = await fs.readdir(volumesIn(real.dataDir))
    const unfinished = volumes.filter((name) => name.startsWith('.'))
    return { scratch: size, exports: await fs.readdir(path.join(folder, 'exports')), unfinished }
  }
  const nothing = { scratch: 0, exports: [], unfinished: [] }
  /** What QEMU itself says, which only one client at a time can ask. */
  const jobsOf = async (id: string): Promise<unknown[]> => {
    const sockets = path.join(machineFolderIn(real.dataDir, id), 'sockets')
    const qmp = await connectQmp(sockets, { onEvent: () => {}, onEnd: () => {} })
    const jobs = await qmp.ask(z.array(z.unknown()), 'query-jobs')
    qmp.close()
    return jobs
  }

  test('is no longer copied once the copy is aborted, by QEMU neither', async () => {
    const spec = await counting()
    const { content_id: volume, size } = bootVolume(spec)
    const [content_id, ending] = [crypto.randomUUID(), new AbortController()]
    const copy = real.fleet.volumes.snapshot(volume, { content_id, size }, ending.signal)
    const refused = messageOf(copy)
    await halted()
    ending.abort()
    expect(await refused).toContain('aborted')
    expect(await remnants(spec.id)).toEqual(nothing)
    expect(await real.blocks.size(content_id)).toBeUndefined()
    await real.driver.close()
    expect(await jobsOf(spec.id)).toEqual([])
    await real.restarted()
    const [first, second] = await countsIn(await snapshotOf(spec))
    expect([second, second + 1]).toContain(first)
  })

  test('is no longer copied for another process that has gone, nor when the server stops', async () => {
    const spec = await counting()
    const { content_id: volume } = bootVolume(spec)
    const ending = new AbortController()
    const refused = messageOf(copyOfVolume(fleetFolder(real.dataDir), volume, ending.signal))
    await halted()
    ending.abort()
    expect(await refused).toContain('aborted')
    await eventually(
      () => remnants(spec.id),
      (seen) => JSON.stringify(seen) === JSON.stringify(nothing),
    )
    const stopped = messageOf(copyOfVolume(fleetFolder(real.dataDir), volume))
    await halted()
    await real.driver.close()
    expect(await stopped).toBe(`The server was stopped while the disk ${volume} was being read. Try again.`)
    expect([await remnants(spec.id), await jobsOf(spec.id)]).toEqual([nothing, []])
    await real.restarted()
  })

  test('is no longer copied by QEMU for a server that was killed, once another one finds its machine', async () => {
    const spec = await counting()
    await real.driver.close()
    const sockets = path.join(machineFolderIn(real.dataDir, spec.id), 'sockets')
    const qmp = await connectQmp(sockets, { onEvent: () => {}, onEnd: () => {} })
    const { size } = bootVolume(spec)
    const options = { driver: 'qcow2', file: SCRATCH_NODE, size }
    await qmp.run('blockdev-create', { 'job-id': 'copy', options })
    await eventually(
      () => qmp.ask(z.array(z.object({ status: z.string() })), 'query-jobs'),
      ([job]) => job?.status === 'concluded',
    )
    await qmp.run('job-dismiss', { id: 'copy' })
    const scratch = { driver: 'qcow2', 'node-name': 'scratch', file: SCRATCH_NODE, backing: diskNode(0) }
    await qmp.run('blockdev-add', scratch)
    const backup = { 'job-id': 'copy', device: diskNode(0), target: 'scratch', sync: 'none' }
    await qmp.run('blockdev-backup', backup)
    qmp.close()
    await real.restarted()
    await eventually(
      () => remnants(spec.id),
      (seen) => JSON.stringify(seen) === JSON.stringify(nothing),
    )
    await real.driver.close()
    expect(await jobsOf(spec.id)).toEqual([])
    await real.restarted()
  })

  test('takes no space for its holes, in the volume and in the copy', async () => {
    const image = crypto.randomUUID()
    await real.blocks.create(image, 20 * GiB)
    await real.blocks.write(image, 10 * GiB, randomBytes(4096))
    const content_id = crypto.randomUUID()
    await real.fleet.volumes.create(content_id, 20 * GiB, image)
    const disk = { id: crypto.randomUUID(), name: 'sparse', content_id, size: 20 * GiB, block_size: 4096 }
    const spec = await on.booted({ disks: [{ ...disk, slot: 0, is_boot: false, read_only: false }] })
    const [live, cold] = [crypto.randomUUID(), crypto.randomUUID()]
    await real.fleet.volumes.snapshot(content_id, { content_id: live, size: 20 * GiB })
    await real.fleet.machines.destroy([spec.id])
    await real.fleet.volumes.snapshot(content_id, { content_id: cold, size: 20 * GiB })
    const wanted = await real.blocks.read(image, 10 * GiB - 1, 4098)
    for (const copy of [live, cold]) {
      expect(await real.blocks.read(copy, 10 * GiB - 1, 4098)).toEqual(wanted)
      const { file, written } = await real.blocks.source(copy)
      expect(written).toBe(MiB)
      expect((await fs.stat(file)).blocks * 512).toBeLessThan(MiB)
    }
    const volume = volumeFileIn(real.dataDir, content_id)
    expect((await fs.stat(volume)).blocks * 512).toBeLessThan(MiB)
  })

  test('is opened by one machine: another one that has it as well fails in words', async () => {
    const { disks } = await on.booted()
    const second = machineSpec({ disks })
    await real.fleet.machines.ensure(second)
    expect(await on.becomes(second.id, 'failed')).toMatchObject({
      reason: { code: 'start_failed', details: { cause: expect.stringContaining('lock') } },
    })
  })

  test('and its processor are measured, in totals that go on after a restart of the server', async () => {
    const spec = await counting()
    const [disk] = spec.disks
    const measured = {
      id: spec.id,
      ncpus: 1,
      since: new Date(),
      disks: [disk?.id ?? ''],
      interfaces: ['none'],
    }
    const measure = async (at: number) => {
      const times = [new Date(at - 5000), new Date(at)]
      return (await real.fleet.measurements.machines([measured], times)).get(spec.id)
    }
    const first = await measure(10_000)
    expect(first?.disks).toMatchObject([{ id: disk?.id, writes: [null, expect.any(Number)] }])
    expect(first?.interfaces).toEqual([])
    // Without idle time, of which a guest that never rests may have none.
    const totals = (usage: typeof first) => [
      usage?.vcpus[0]?.run[1] ?? -1,
      usage?.disks[0]?.writes[1] ?? -1,
      usage?.disks[0]?.bytes_written[1] ?? -1,
    ]
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const second = await measure(20_000)
    expect(second?.disks[0]?.writes[0]).not.toBeNull()
    await real.restarted()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const third = await measure(30_000)
    const [a, b, c] = [totals(first), totals(second), totals(third)]
    for (const [index, value] of a.entries()) {
      expect(b[index]).toBeGreaterThan(value)
      expect(c[index]).toBeGreaterThan(b[index] ?? 0)
    }
    const ageAt = (usage: typeof first): number =>
      Object.values(usage?.vcpus[0] ?? {}).reduce((sum, column) => sum + (column[1] ?? 0), 0) / 1e9
    // All states together are the age of the machine, whichever it was in.
    expect(ageAt(second) - ageAt(first)).toBeGreaterThan(0.9)
    expect(ageAt(third)).toBeGreaterThan(2)
    expect(ageAt(third)).toBeLessThan(600)
    const resting = await on.booted()
    const idle = async (at: number): Promise<number> => {
      const asked = { ...measured, id: resting.id, disks: [] }
      const usage = (await real.fleet.measurements.machines([asked], [new Date(at)])).get(resting.id)
      return usage?.vcpus[0]?.idle[0] ?? -1
    }
    const before = await idle(40_000)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await idle(50_000)).toBeGreaterThan(before)
    expect(await real.fleet.measurements.machines([{ ...measured, id: 'none' }], [new Date()])).toEqual(
      new Map(),
    )
  })
})

const volume = missing ? { missing } : await smallVolume(320)
if ('missing' in volume) console.warn(`skipped: machines on a full volume, ${volume.missing}`)
afterAll(() => ('missing' in volume ? undefined : volume.remove()))

describe.skipIf('missing' in volume)('on a volume of 320 MiB', () => {
  const { folder } = volume as Exclude<typeof volume, { missing: string }>

  test('a guest without space to write to is paused, which is reported, and continues by itself', async () => {
    const dataDir = path.join(folder, 'data')
    const real = await realFleet({ dataDir, space: freeSpace(folder, 16 * MiB) })
    onTestFinished(() => real.remove())
    const on = machinesOf(real)
    const boot = await bootDisk(real.fleet, 100 * MiB)
    const spec = machineSpec({ disks: [boot] })
    await real.fleet.machines.ensure(spec)
    await on.says(spec.id, 'guest ready')
    // Not before: on a full volume it is paused before it says anything.
    const filler = path.join(folder, 'filler')
    onTestFinished(() => fs.rm(filler, { force: true }))
    await fs.writeFile(filler, Buffer.alloc(250 * MiB))
    await on.type(spec.id, 'F')
    const full = await eventually(
      () => on.report(spec.id),
      (seen) => seen?.reason?.code === 'out_of_space',
      60_000,
    )
    expect(full).toMatchObject({ state: 'running', by_guest: false })
    expect((await real.fleet.machines.pending(10)).ids).toEqual([spec.id])
    // Its copy, and another disk with bytes, are refused before they begin.
    const to = { content_id: crypto.randomUUID(), size: 100 * MiB }
    await expect(real.fleet.volumes.snapshot(boot.content_id, to)).rejects.toThrow(OutOfSpace)
    await expect(real.fleet.volumes.needRoomFor(boot.content_id)).rejects.toThrow(OutOfSpace)
    expect(await real.blocks.size(to.content_id)).toBeUndefined()
    // Also a full volume is no reason to forget what is wanted.
    await real.fleet.machines.reboot(spec.id, 1)
    await real.restarted()
    await fs.rm(filler)
    await eventually(
      () => on.report(spec.id),
      (seen) => seen?.state === 'running' && seen.reason === null,
      60_000,
    )
    await eventually(
      () => on.text(spec.id),
      (said) => said.split('guest ready').length === 3,
      60_000,
    )
    await real.fleet.machines.stop(spec.id, new Date(Date.now() + 60_000))
    await on.becomes(spec.id, 'stopped')
  })

  test('machines are stopped and destroyed however full it is', async () => {
    const real = await realFleet({ dataDir: path.join(folder, 'other') })
    onTestFinished(() => real.remove())
    const on = machinesOf(real)
    const [stopped, destroyed] = [await on.booted(), await on.booted()]
    const { fill, clear } = volume as Exclude<typeof volume, { missing: string }>
    await fill()
    onTestFinished(clear)
    await real.fleet.machines.stop(stopped.id, new Date(Date.now() + 60_000))
    await on.becomes(stopped.id, 'stopped')
    await expect(real.fleet.machines.ensure(machineSpec())).rejects.toThrow('ENOSPC')
    await real.fleet.machines.destroy([destroyed.id])
    expect(await real.fleet.machines.list(undefined, 10)).toEqual([stopped.id])
  })
})

const cloning = missing ? { missing } : await cloningVolume()
if ('missing' in cloning) console.warn(`skipped: disks on a file system that clones, ${cloning.missing}`)
afterAll(() => ('missing' in cloning ? undefined : cloning.remove()))

describe.skipIf('missing' in cloning)('on a file system that clones', () => {
  const { folder } = cloning as Exclude<typeof cloning, { missing: string }>

  test('the disk of a running machine is copied at one point in time, without taking space', async () => {
    const real = await realFleet({ dataDir: path.join(folder, 'data') })
    onTestFinished(() => real.remove())
    const on = machinesOf(real)
    const boot = await bootDisk(real.fleet)
    for (let at = 2; at < 50; at++)
      await real.fleet.volumes.write(boot.content_id, at * MiB, randomBytes(MiB))
    const spec = machineSpec({ disks: [boot] })
    await real.fleet.machines.ensure(spec)
    await on.says(spec.id, 'guest ready')
    await on.type(spec.id, 'W')
    await on.says(spec.id, '..')
    const { bavail, bsize } = await fs.statfs(folder)
    for (let round = 0; round < 10; round++) {
      const content_id = crypto.randomUUID()
      await real.fleet.volumes.snapshot(boot.content_id, { content_id, size: boot.size })
      const [first = 0, second = 0] = await Promise.all(
        counters.map(async (offset) => numberIn(await real.blocks.read(content_id, offset, 4))),
      )
      expect([second, second + 1]).toContain(first)
      await real.fleet.volumes.create(crypto.randomUUID(), boot.size, content_id)
    }
    const after = await fs.statfs(folder)
    expect((bavail - after.bavail) * bsize).toBeLessThan(48 * MiB)
  })
})

/** A file system that clones files, in a file of its own. */
async function cloningVolume() {
  const base = await fs.mkdtemp('/tmp/gantry-cloning-')
  const [image, folder] = [path.join(base, 'image'), path.join(base, 'mounted')]
  try {
    await fs.mkdir(folder)
    await hostCommand(['truncate', '--size=600M', image])
    await hostCommand(['mkfs.xfs', '-q', '-m', 'reflink=1', image])
    await hostCommand(['mount', '-o', 'loop', image, folder])
  } catch (error) {
    await fs.rm(base, { recursive: true })
    return { missing: (error as Error).message }
  }
  return {
    folder,
    async remove() {
      await hostCommand(['umount', folder])
      await fs.rm(base, { recursive: true })
    },
  }
}

const numberIn = (bytes: Uint8Array | undefined): number => Buffer.from(bytes ?? []).readUInt32LE(0)

/** How work fails. */
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  )

async function openFilesOf(pid: number): Promise<string[]> {
  const open = await fs.readdir(`/proc/${pid}/fd`)
  return Promise.all(open.map((fd) => fs.readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
}
