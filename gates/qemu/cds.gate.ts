import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { readCdKind } from '@gantry/api/storage/cd.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { MachineCd, MachineSpec } from '../../packages/control-plane/src/fleet/fleet.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { hostUefi } from '../../packages/server/src/fleet/qemu/machine/firmware.ts'
import { plugsFolder } from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import { bootableCd } from '../../packages/server/src/testing/guest/cd.ts'
import {
  bootLoader,
  efiProgram,
  fatDisk,
  type FatFiles,
} from '../../packages/server/src/testing/guest/efi.ts'
import {
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
} from '../../packages/server/src/testing/qemu.ts'

const missing = (await missingForQemu()) ?? ((await hostUefi()).uefi ? undefined : 'UEFI is missing')
if (missing) console.warn(`skipped: CDs of machines, ${missing}`)

/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 300_000
const MiB = 1024 ** 2

describe.skipIf(missing)('the CDs of a machine', () => {
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

  const fileOf = async ({ content_id }: MachineCd) => (await real.blocks.source(content_id)).file
  async function cdOf(name: string, files: FatFiles): Promise<MachineCd> {
    const bytes = bootableCd(fatDisk(files))
    expect(
      await readCdKind({ size: bytes.length, read: async (at, length) => bytes.slice(at, at + length) }),
    ).toBe('uefi')
    const content_id = crypto.randomUUID()
    await real.blocks.create(content_id, bytes.length)
    await real.blocks.write(content_id, 0, bytes)
    return { name, content_id, size: bytes.length, boots: true }
  }
  async function started(disk: FatFiles, cd: MachineCd): Promise<MachineSpec> {
    const bytes = fatDisk(disk)
    const content_id = crypto.randomUUID()
    await real.fleet.volumes.create(content_id, bytes.length)
    await real.fleet.volumes.write(content_id, 0, bytes)
    const own = { id: content_id, name: 'boot', content_id, size: bytes.length, block_size: 512 }
    const spec = machineSpec({
      memory: 256 * MiB,
      disks: [{ ...own, slot: 0, is_boot: true, read_only: false }],
      cds: [cd, null],
      hardware: { ...usualHardware, firmware: 'uefi', variables_id: crypto.randomUUID(), tpm_id: null },
    })
    await real.fleet.machines.ensure(spec)
    return spec
  }
  const set = (id: string, ...cds: (MachineCd | null)[]) =>
    eventually(
      () => real.fleet.machines.setCds(id, cds),
      (progress) => progress !== 'pending',
    )
  const count = async (id: string, words: string) => (await on.text(id)).split(words).length - 1
  const says = (id: string, words: string, times = 1) =>
    eventually(
      () => count(id, words),
      (found) => found >= times,
      patienceMs,
    )
  let reboots = 0
  const reboot = (id: string) => real.fleet.machines.reboot(id, ++reboots)

  test('are booted first while they are in, and not once they are ejected', async () => {
    reboots = 0
    const cd = await cdOf('installer', { [bootLoader]: efiProgram('this is the CD') })
    const { id } = await started({ [bootLoader]: efiProgram('this is the disk') }, cd)
    await says(id, 'this is the CD')
    expect(await set(id, null, null)).toBe('done')
    await reboot(id)
    await says(id, 'this is the disk')
    expect(await count(id, 'this is the CD')).toBe(1)
    expect(await set(id, null, cd)).toBe('done')
    await reboot(id)
    await says(id, 'this is the CD', 2)
    expect(await on.report(id)).toMatchObject({ state: 'running', reason: null })
  })

  test('install a disk from a shell, from which the machine boots after a restart of the server', async () => {
    reboots = 0
    // The disk is empty but for its file system. The shell of UEFI runs what the CD tells it to.
    const script = ['0', '1', '2'].flatMap((to) => [
      `if exist fs${to}:\\TARGET.TXT then`,
      `  mkdir fs${to}:\\EFI`,
      `  mkdir fs${to}:\\EFI\\BOOT`,
      ...['0', '1', '2'].flatMap((from) => [
        `  if exist fs${from}:\\SYSTEM.EFI then`,
        `    cp -q fs${from}:\\SYSTEM.EFI fs${to}:\\EFI\\BOOT\\BOOTX64.EFI`,
        '  endif',
      ]),
      'endif',
    ])
    const lines = ['@echo -off', 'map -r', ...script, 'echo install finished', '']
    const cd = await cdOf('installer', {
      'STARTUP.NSH': Buffer.from(lines.join('\r\n')),
      'SYSTEM.EFI': efiProgram('the installed system'),
    })
    const { id } = await started({ 'TARGET.TXT': Buffer.from('here\r\n') }, cd)
    await says(id, 'install finished')
    expect(await count(id, 'the installed system')).toBe(0)
    await real.restarted()
    expect(await real.fleet.machines.cds(id)).toEqual([cd.content_id, null])
    expect(await set(id, null, null)).toBe('done')
    await reboot(id)
    await says(id, 'the installed system')
  })

  test('are changed whatever step the killed server had reached', async () => {
    const program = await bundled('src/testing/cd-process.ts')
    const [one, other] = [await cdOf('one', {}), await cdOf('other', {})]
    const { id } = await started({}, one)
    await on.becomes(id, 'running')
    const before = await fs.stat(await fileOf(one))
    try {
      for (let round = 0; round < 8; round++) {
        await real.driver.close()
        const child = spawn(
          process.execPath,
          [program.file, real.dataDir, id, one.content_id, other.content_id],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        )
        await once(child.stdout, 'data')
        await new Promise((resolve) => setTimeout(resolve, 300 * Math.random()))
        child.kill('SIGKILL')
        await once(child, 'exit')
        await real.restarted()
        expect(await real.fleet.machines.cds(id)).toHaveLength(2)
        expect(await set(id, other, one)).toBe('done')
        expect(await real.fleet.machines.cds(id)).toEqual([other.content_id, one.content_id])
      }
    } finally {
      await program.remove()
    }
    expect(await on.report(id)).toMatchObject({ state: 'running', reason: null })
    await eventually(
      async () => (await fs.readdir(plugsFolder(machineFolderIn(real.dataDir, id)))).length,
      (links) => links === 0,
    )
    // No other user may read or write an image afterwards.
    const after = await fs.stat(await fileOf(one))
    expect([after.uid, after.gid, after.nlink, after.mode & 0o077]).toEqual([before.uid, before.gid, 1, 0])
  })

  test('of two machines are the same file, which neither can write', async () => {
    const cd = await cdOf('shared', {})
    const machines = [await started({}, cd), await started({}, cd)]
    for (const { id } of machines) await on.becomes(id, 'running')
    const sets = machines.map(({ id }) => Promise.all([set(id, null, cd), set(id, cd, cd)]))
    expect((await Promise.all(sets)).flat()).toEqual(['done', 'done', 'done', 'done'])
    const { ino } = await fs.stat(await fileOf(cd))
    for (const { id } of machines) {
      const folder = `/proc/${await on.process(id)}`
      const open = await fs.readdir(`${folder}/fd`)
      const own = await Promise.all(
        open.map(async (name) => [name, (await fs.stat(`${folder}/fd/${name}`).catch(() => undefined))?.ino]),
      )
      const held = own.filter(([, inode]) => inode === ino)
      expect(held.length).toBeGreaterThan(0)
      for (const [name] of held) {
        const flags = /flags:\s*(\d+)/.exec(await fs.readFile(`${folder}/fdinfo/${name}`, 'utf8'))?.[1]
        expect(Number.parseInt(flags ?? '1', 8) & 3).toBe(0)
      }
    }
  })
})
