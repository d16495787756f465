import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB } from '@gantry/api/base/bytes.rules'
import type { MachineDisk } from '@gantry/control-plane/fleet/fleet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { plugsFolder, socketsFolder } from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { connectQmp } from '../../packages/server/src/fleet/qemu/machine/qmp.ts'
import { readRecord, writeRecord } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import {
  bootDisk,
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
  volumeFileIn,
} from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()
if (missing) console.warn(`skipped: disks of running machines, ${missing}`)

describe.skipIf(missing)('disks of a running machine', () => {
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

  const dataDisk = async (slot: number): Promise<MachineDisk> => {
    const content_id = crypto.randomUUID()
    await real.fleet.volumes.create(content_id, MiB)
    const disk = { id: crypto.randomUUID(), name: `data-${slot}`, content_id, size: MiB, block_size: 512 }
    return { ...disk, slot, is_boot: false, read_only: false }
  }
  const plug = (id: string, disk: MachineDisk) => real.fleet.machines.plug?.(id, disk)
  const unplug = (id: string, disk: MachineDisk) =>
    eventually(
      async () => real.fleet.machines.unplug?.(id, disk.id),
      (progress) => progress !== 'pending',
    )
  /** The files that its process has open. */
  async function openFiles(id: string): Promise<string[]> {
    const folder = `/proc/${await on.process(id)}/fd`
    const names = await fs.readdir(folder)
    return Promise.all(names.map((name) => fs.readlink(path.join(folder, name)).catch(() => '')))
  }
  const inodes = async (id: string): Promise<number[]> => {
    const folder = `/proc/${await on.process(id)}/fd`
    const names = await fs.readdir(folder)
    const found = names.map((name) => fs.stat(path.join(folder, name)).catch(() => undefined))
    return (await Promise.all(found)).flatMap((stat) => stat?.ino ?? [])
  }
  const inodeOf = async ({ content_id }: MachineDisk) =>
    (await fs.stat(volumeFileIn(real.dataDir, content_id))).ino

  test('are open from then until then, and their files belong to nobody else afterwards', async () => {
    const initial = await dataDisk(4)
    const { id } = await on.booted({ disks: [initial] })
    const added = await dataDisk(3)
    const file = volumeFileIn(real.dataDir, added.content_id)
    const before = await fs.stat(file)
    expect(await inodes(id)).not.toContain(await inodeOf(added))
    expect(await plug(id, added)).toBe('done')
    expect(await inodes(id)).toContain(await inodeOf(added))
    const after = await fs.stat(file)
    expect([after.uid, after.gid, after.nlink]).toEqual([before.uid, before.gid, 1])
    expect(after.mode & 0o077).toBe(0)
    expect(await fs.readdir(plugsFolder(machineFolderIn(real.dataDir, id)))).toEqual([])
    // The one that it inherited, too.
    for (const disk of [initial, added]) {
      expect(await unplug(id, disk)).toBe('done')
      expect(await inodes(id)).not.toContain(await inodeOf(disk))
    }
    expect(await on.report(id)).toMatchObject({ state: 'running', reason: null })
  })

  test('of a guest that does not answer stay, and are given again if it releases them later', async () => {
    // It has nothing to boot, and waits in the firmware.
    const disk = await dataDisk(2)
    const spec = machineSpec({ disks: [disk] })
    await real.fleet.machines.ensure(spec)
    await on.becomes(spec.id, 'running')
    expect(await real.fleet.machines.unplug?.(spec.id, disk.id)).toBe('pending')
    await real.restarted()
    expect(await real.fleet.machines.unplug?.(spec.id, disk.id)).toBe('pending')
    expect(await real.fleet.machines.disks?.(spec.id)).toEqual([disk.id])
    expect(await plug(spec.id, disk)).toBe('done')
    const release = async () => (await readRecord(machineFolderIn(real.dataDir, spec.id))).disks?.[0]?.release
    expect(await release()).toBe('withdrawn')
    // A reset carries out what was asked of the guest.
    await real.fleet.machines.reboot(spec.id, 1)
    await eventually(release, (now) => now === null)
    expect(await real.fleet.machines.disks?.(spec.id)).toEqual([disk.id])
    expect(await inodes(spec.id)).toContain(await inodeOf(disk))
    expect((await real.fleet.machines.unplug?.(spec.id, disk.id)) ?? '').not.toBe('ended')
  })

  test('are exchanged whatever step the killed server had reached', async () => {
    const { id } = await on.booted()
    const folder = machineFolderIn(real.dataDir, id)
    const disk = await dataDisk(3)
    const node = { driver: 'raw', 'node-name': 'disk1', file: { driver: 'null-co', size: MiB } }
    const qemu = async (command: string, args: Record<string, unknown>) => {
      const qmp = await connectQmp(socketsFolder(folder), { onEvent: () => {}, onEnd: () => {} })
      await qmp.run(command, args)
      qmp.close()
    }
    /** What a server leaves that is killed: a record, and what QEMU has by then. */
    const left = async (number: number | undefined, act: () => Promise<unknown>) => {
      await real.driver.close()
      const was = await readRecord(folder)
      const disks = was.disks ?? [{ number: 0, disk: await bootDiskOf(id), release: null }]
      if (number !== undefined)
        await writeRecord(folder, {
          ...was,
          revision: was.revision + 1,
          disks: [...disks, { number, disk, release: null }],
        })
      await act()
      await real.restarted()
    }
    const bootDiskOf = async (machine: string): Promise<MachineDisk> => {
      const text = await fs.readFile(path.join(machineFolderIn(real.dataDir, machine), 'spec.json'), 'utf8')
      return (JSON.parse(text) as { disks: MachineDisk[] }).disks[0] ?? (await bootDisk(real.fleet))
    }
    // Recorded, and linked for QEMU, which has not opened it.
    const link = path.join(plugsFolder(folder), 'disk1')
    await left(1, async () => {
      await fs.link(volumeFileIn(real.dataDir, disk.content_id), link)
      await fs.chmod(link, 0o660)
    })
    await eventually(
      async () => (await fs.readdir(plugsFolder(folder))).length,
      (links) => links === 0,
    )
    expect((await fs.stat(volumeFileIn(real.dataDir, disk.content_id))).mode & 0o077).toBe(0)
    expect(await plug(id, disk)).toBe('done')
    expect(await unplug(id, disk)).toBe('done')
    // Opened, and not given to the guest.
    await left(1, () => qemu('blockdev-add', node))
    expect(await plug(id, disk)).toBe('done')
    expect(await unplug(id, disk)).toBe('done')
    // Released by the guest, and still open.
    await left(1, () => qemu('blockdev-add', node))
    expect(await unplug(id, disk)).toBe('done')
    expect(await real.fleet.machines.disks?.(id)).not.toContain(disk.id)
    expect((await openFiles(id)).filter((file) => file.includes(disk.content_id))).toEqual([])
  })

  test('are refused with a reason by a machine that an earlier version started', async () => {
    const { id } = await on.booted({
      hardware: { ...machineSpec().hardware, disk_model: 'sata' },
    })
    await expect(plug(id, await dataDisk(3))).rejects.toThrow('takes no disk while it runs')
  })
})
