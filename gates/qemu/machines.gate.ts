import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB } from '@gantry/api/base/bytes.rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { OutOfSpace } from '../../packages/control-plane/src/blocks/block-store.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { openQemuFleet } from '../../packages/server/src/fleet/qemu/fleet.ts'
import { fleetFolder, tagFile } from '../../packages/server/src/fleet/qemu/host/folders.ts'
import { hostCommand } from '../../packages/server/src/fleet/qemu/host/host-command.ts'
import { SCREEN_SOCKET } from '../../packages/server/src/fleet/qemu/machine/arguments.ts'
import { socketsFolder } from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { specFile } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { machinesOnHost } from '../../packages/server/src/testing/on-host.ts'
import {
  bootDisk,
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()
if (missing) console.warn(`skipped: real machines, ${missing}`)

describe.skipIf(missing)('a real machine', () => {
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

  /** Does something to a machine while the driver looks, or while none runs. */
  const whileWatched = async (act: () => Promise<unknown>): Promise<void> => void (await act())
  const whileAlone = async (act: () => Promise<unknown>): Promise<void> => {
    await act()
    // The input has been passed on to the guest by now, which acts on it later.
    await real.restarted()
  }

  describe.each([
    ['while it is watched', whileWatched],
    ['while the server restarts', whileAlone],
  ])('%s', (_, during) => {
    test('whose guest shuts down is stopped by it', async () => {
      const { id } = await on.booted()
      await during(() => on.type(id, 'O'))
      expect(await on.becomes(id, 'stopped')).toMatchObject({ by_guest: true, reason: null })
    })

    test('whose guest panics fails for that', async () => {
      const { id } = await on.booted()
      await during(() => on.type(id, 'P'))
      expect(await on.becomes(id, 'failed')).toMatchObject({ reason: { code: 'guest_panicked' } })
    })

    test('whose process is killed crashed', async () => {
      const { id } = await on.booted()
      const pid = await on.process(id)
      await during(async () => process.kill(pid, 'SIGKILL'))
      expect(await on.becomes(id, 'failed')).toMatchObject({ reason: { code: 'machine_crashed' } })
    })
  })

  test('ends while no server runs, and the next one knows why', async () => {
    const [off, panicked, killed] = [await on.booted(), await on.booted(), await on.booted()]
    const pids = await Promise.all([off, panicked, killed].map(({ id }) => on.process(id)))
    await on.type(off.id, 'O')
    await on.type(panicked.id, 'P')
    await real.driver.close()
    process.kill(pids[2] ?? 0, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await real.restarted()
    expect(await on.becomes(off.id, 'stopped')).toMatchObject({ by_guest: true })
    expect(await on.becomes(panicked.id, 'failed')).toMatchObject({ reason: { code: 'guest_panicked' } })
    expect(await on.becomes(killed.id, 'failed')).toMatchObject({ reason: { code: 'machine_crashed' } })
    for (const pid of pids) await expect(fs.access(`/proc/${pid}/exe`)).rejects.toThrow('ENOENT')
  })

  test('that its guest reboots is reported as rebooting, then runs', async () => {
    const { id } = await on.booted()
    const before = await on.process(id)
    // Right after power-on it may be the firmware that resets it.
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    await on.type(id, 'R')
    expect(await on.becomes(id, 'rebooting')).toMatchObject({ by_guest: true })
    await on.becomes(id, 'running')
    await eventually(
      () => on.text(id),
      (said) => said.split('guest ready').length === 3,
    )
    expect(await on.process(id)).toBe(before)
  })

  test('that was started without a screen has none', async () => {
    const { id } = await on.booted()
    const line = await real.fleet.screens?.open(id, () => {})
    expect(line).toBeDefined()
    line?.close()
    // As those are that an earlier version has started.
    await fs.rm(path.join(socketsFolder(machineFolderIn(real.dataDir, id)), SCREEN_SOCKET))
    await real.restarted()
    expect(await real.fleet.screens?.open(id, () => {})).toBeUndefined()
    expect(await on.report(id)).toMatchObject({ state: 'running' })
  })

  test('boots again at each reboot that is asked for, and not at others', async () => {
    const { id } = await on.booted()
    const boots = async () => (await on.text(id)).split('guest ready').length - 1
    for (const [count, expected] of [
      [1, 2],
      [1, 2],
      [2, 3],
      [1, 3],
    ] as const) {
      await real.fleet.machines.reboot(id, count)
      await on.becomes(id, 'running')
      await eventually(boots, (times) => times === expected)
      await real.restarted()
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(await boots()).toBe(3)
  })

  test('whose guest ignores the power button loses its power at the deadline, also after a restart', async () => {
    // It has no disk to boot, and waits in the firmware.
    const spec = machineSpec()
    await real.fleet.machines.ensure(spec)
    await on.becomes(spec.id, 'running')
    await real.fleet.machines.stop(spec.id, new Date(Date.now() + 6000))
    expect(await on.report(spec.id)).toMatchObject({ state: 'stopping', by_guest: false })
    await real.restarted()
    expect(await on.report(spec.id)).toMatchObject({ state: 'stopping', by_guest: false })
    expect(await on.becomes(spec.id, 'stopped')).toMatchObject({ by_guest: false, reason: null })
  })

  test('that hangs is told, and loses its power when it is forced off', async () => {
    const { id } = await on.booted()
    const pid = await on.process(id)
    process.kill(pid, 'SIGSTOP')
    await eventually(
      () => on.report(id),
      (seen) => seen?.state === 'running' && seen.reason?.code === 'not_responding',
      120_000,
    )
    await real.fleet.machines.stop(id, new Date(0))
    expect(await on.becomes(id, 'stopped', 120_000)).toMatchObject({ by_guest: false, reason: null })
    await expect(fs.access(`/proc/${pid}/exe`)).rejects.toThrow('ENOENT')
  })

  test('that hangs for a while is no longer told of once it answers', async () => {
    const { id } = await on.booted()
    const pid = await on.process(id)
    process.kill(pid, 'SIGSTOP')
    const told = (seen: Awaited<ReturnType<typeof on.report>>) => seen?.reason?.code === 'not_responding'
    await eventually(() => on.report(id), told, 120_000)
    process.kill(pid, 'SIGCONT')
    const answers = (seen: Awaited<ReturnType<typeof on.report>>) =>
      seen?.state === 'running' && seen.reason === null
    expect(await eventually(() => on.report(id), answers, 120_000)).toMatchObject({ reason: null })
  })

  test('boots from a disk with blocks of 4096 bytes', async () => {
    const boot = { ...(await bootDisk(real.fleet)), block_size: 4096, slot: 1 }
    const spec = machineSpec({
      disks: [{ ...(await bootDisk(real.fleet)), is_boot: false, name: 'a' }, boot],
    })
    await real.fleet.machines.ensure(spec)
    expect(await on.says(spec.id, 'guest ready')).toContain('SeaBIOS')
  })

  test('that is destroyed while it starts leaves no process', async () => {
    for (let round = 0; round < 20; round++) {
      const spec = machineSpec()
      await real.fleet.machines.ensure(spec)
      // A start takes up to half a second: from before its process exists until after its record has it.
      await new Promise((resolve) => setTimeout(resolve, round * 25))
      await real.fleet.machines.destroy([spec.id])
      expect(await machinesOnHost(real.dataDir)).toEqual(new Map())
    }
  })

  test('without the bytes of a disk fails, and says what to do', async () => {
    const boot = await bootDisk(real.fleet)
    await real.fleet.volumes.remove(boot.content_id)
    const spec = machineSpec({ disks: [boot] })
    await real.fleet.machines.ensure(spec)
    expect(await on.becomes(spec.id, 'failed')).toMatchObject({
      reason: { code: 'disk_missing', next_step: 'Detach the disk, then start the instance again.' },
    })
  })

  test('that QEMU cannot start fails, with what QEMU said', async () => {
    const spec = machineSpec({ memory: 2 ** 50 })
    await real.fleet.machines.ensure(spec)
    expect(await on.becomes(spec.id, 'failed')).toMatchObject({
      reason: { code: 'start_failed', details: { cause: expect.stringMatching(/QEMU ended .*memory/) } },
    })
  })

  test('retains at least the last 16 MiB that it printed, and reads begin there', async () => {
    const { id } = await on.booted()
    const folder = machineFolderIn(real.dataDir, id)
    const log = path.join(folder, 'serial.log')
    // As QEMU appends it, only faster than a guest that is translated.
    const piece = Buffer.alloc(MiB, 'output ')
    for (let count = 0; count < 40; count++) await fs.appendFile(log, piece)
    const { from } = await eventually(
      () => real.fleet.serial.read(id, 0, 10),
      (read) => read.from > 0,
    )
    const end = (await real.fleet.serial.written([id])).get(id) ?? 0
    expect(end - from).toBeGreaterThanOrEqual(16 * MiB)
    // What is freed is recorded before, so that a crash in between forgets nothing.
    await eventually(
      async () => (await fs.stat(log)).blocks * 512,
      (held) => held < 17 * MiB,
    )
    await real.restarted()
    expect(await real.fleet.serial.read(id, 5, 3)).toEqual(await real.fleet.serial.read(id, from, 3))
    await on.type(id, 'x')
    await eventually(
      async () => (await real.fleet.serial.written([id])).get(id),
      (written) => written === end + 1,
    )
  })

  test('whose folder cannot be read is left alone, and so is its process', async () => {
    const { id } = await on.booted()
    const pid = await on.process(id)
    const spec = specFile(machineFolderIn(real.dataDir, id))
    const kept = await fs.readFile(spec)
    await fs.writeFile(spec, '{}')
    const logged = console.error
    console.error = () => {}
    await real.restarted()
    console.error = logged
    expect(await real.fleet.machines.list(undefined, 10)).toEqual([])
    await fs.access(`/proc/${pid}/exe`)
    await fs.writeFile(spec, kept)
    await real.restarted()
    expect(await on.report(id)).toMatchObject({ state: 'running' })
  })

  test.skipIf(process.getuid?.() !== 0)('has no rights, and cannot reach what others have', async () => {
    const [one, other] = [await on.booted(), await on.booted()]
    const [pid, otherPid] = [await on.process(one.id), await on.process(other.id)]
    const status = await fs.readFile(`/proc/${pid}/status`, 'utf8')
    const value = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? ''
    const user = value('Uid').split('\t')[0] ?? ''
    expect(Number(user)).toBeGreaterThan(1000)
    expect([value('CapEff'), value('CapBnd'), value('CapInh')]).toEqual(Array(3).fill('0'.repeat(16)))
    expect([value('NoNewPrivs'), value('Seccomp')]).toEqual(['1', '2'])
    // With KVM it may use the device.
    const kvm = await fs.stat('/dev/kvm').catch(() => undefined)
    expect(['', String(kvm?.gid)]).toContain(value('Groups').trim())
    expect(await fs.readFile(`/proc/${otherPid}/status`, 'utf8')).not.toContain(`Uid:\t${user}\t`)
    expect(await fs.readlink(`/proc/${pid}/ns/net`)).not.toBe(await fs.readlink('/proc/self/ns/net'))
    expect(await fs.readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/core file size\s+0\s+0/)

    const folder = machineFolderIn(real.dataDir, one.id)
    const asItself = (...words: string[]) =>
      hostCommand(['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--', ...words])
    for (const place of [folder, volumesIn(real.dataDir), real.dataDir])
      await expect(asItself('ls', place)).rejects.toThrow('Permission denied')
    // Also by the folders that it has open: they belong to it only before its guest runs.
    const open = await fs.readdir(`/proc/${pid}/fd`)
    const links = await Promise.all(open.map((fd) => fs.readlink(`/proc/${pid}/fd/${fd}`)))
    const folders = open.filter((_, index) => /\/(sockets|exports)$/.test(links[index] ?? ''))
    expect(folders).toHaveLength(2)
    for (const fd of folders)
      await expect(asItself('touch', `/proc/${pid}/fd/${fd}/x`)).rejects.toThrow('Permission denied')
  })

  test('of an installation is served by one process', async () => {
    await expect(
      openQemuFleet({
        dataDir: real.dataDir,
        blocks: real.blocks,
        space: real.space,
        log: { info: () => {}, warn: () => {}, error: () => {} },
      }),
    ).rejects.toThrow(`is in use by process ${process.pid}`)
  })
})

describe.skipIf(missing)('a fleet', () => {
  test('in a deep folder has machines whose consoles and disks work', async () => {
    const dataDir = path.join(await fs.mkdtemp('/tmp/gantry-fleet-'), 'deep'.repeat(20), 'deeper'.repeat(20))
    await fs.mkdir(dataDir, { recursive: true })
    const real = await realFleet({ dataDir })
    try {
      const on = machinesOf(real)
      const { id, disks } = await on.booted()
      await on.type(id, 'x')
      await on.says(id, 'x')
      const to = { content_id: crypto.randomUUID(), size: disks[0]?.size ?? 0 }
      await real.fleet.volumes.snapshot(disks[0]?.content_id ?? '', to)
      expect([...(await real.blocks.read(to.content_id, 510, 2))]).toEqual([0x55, 0xaa])
      const taken = (await real.fleet.volumes.occupied(disks[0]?.content_id ?? '')) ?? 0
      expect(taken).toBeGreaterThan(0)
      expect(taken).toBeLessThanOrEqual(to.size + 64 * 1024)
    } finally {
      await real.remove()
      await fs.rm(path.join(dataDir, '../..'), { recursive: true })
    }
  })

  test('on a volume that is filled up to the reserve pauses its machines until there is space', async () => {
    let isFull = false
    const real = await realFleet({
      space: {
        taking: async (_, work) => {
          if (isFull) throw new OutOfSpace('the volume is full')
          return work(() => {})
        },
        hasFree: async () => !isFull,
      },
    })
    try {
      const on = machinesOf(real)
      const [kept, stopped, forced] = [await on.booted(), await on.booted(), await on.booted()]
      isFull = true
      const reason = { code: 'out_of_space' }
      for (const { id } of [kept, stopped, forced])
        await eventually(
          () => on.report(id),
          (seen) => seen?.reason?.code === reason.code,
          60_000,
        )
      await on.type(kept.id, 'zqz')
      // It stops long before its deadline, because its guest runs again to shut down.
      await real.fleet.machines.stop(stopped.id, new Date(Date.now() + 3_600_000))
      await real.fleet.machines.stop(forced.id, new Date(0))
      for (const { id } of [stopped, forced]) await on.becomes(id, 'stopped', 60_000)
      expect(await on.report(kept.id)).toMatchObject({ state: 'running', reason })
      expect(await on.text(kept.id)).not.toContain('zqz')
      isFull = false
      await on.says(kept.id, 'zqz')
      expect(await on.becomes(kept.id, 'running')).toMatchObject({ reason: null })
    } finally {
      await real.remove()
    }
  })

  test('without its tag starts nowhere: running machines would be lost', async () => {
    const real = await realFleet()
    try {
      const file = tagFile(fleetFolder(real.dataDir))
      const kept = await fs.readFile(file)
      await fs.writeFile(file, 'nonsense')
      await expect(real.restarted()).rejects.toThrow('must hold six hexadecimal digits')
      await fs.writeFile(file, kept)
      await real.restarted()
    } finally {
      await real.remove()
    }
  })
})
