import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { MachineHardware, MachineSpec } from '../../packages/control-plane/src/fleet/fleet.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { hostUefi } from '../../packages/server/src/fleet/qemu/machine/firmware.ts'
import {
  bootLoader,
  efiProgram,
  fatDisk,
  type FatFiles,
} from '../../packages/server/src/testing/guest/efi.ts'
import {
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
} from '../../packages/server/src/testing/qemu.ts'

const { uefi, secure_boot } = await hostUefi()
const missing = (await missingForQemu()) ?? (uefi && secure_boot ? undefined : 'UEFI is missing')
if (missing) console.warn(`skipped: machines that boot by UEFI, ${missing}`)

/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 300_000
const MiB = 1024 ** 2

describe.skipIf(missing)('a machine with UEFI', () => {
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

  const hardware = (more: Partial<MachineHardware> = {}): MachineHardware => ({
    ...usualHardware,
    firmware: 'uefi',
    variables_id: crypto.randomUUID(),
    tpm_id: null,
    ...more,
  })
  async function started(files: FatFiles, more: Partial<MachineSpec>): Promise<string> {
    const bytes = fatDisk(files)
    const content_id = crypto.randomUUID()
    await real.fleet.volumes.create(content_id, bytes.length)
    await real.fleet.volumes.write(content_id, 0, bytes)
    const id = crypto.randomUUID()
    const disk = {
      id,
      name: 'boot',
      content_id,
      size: bytes.length,
      block_size: 512,
      slot: 0,
      is_boot: true,
      read_only: false,
    }
    const spec = machineSpec({ memory: 256 * MiB, disks: [disk], ...more })
    await real.fleet.machines.ensure(spec)
    return spec.id
  }
  const says = (id: string, words: RegExp) =>
    eventually(
      () => on.text(id),
      (said) => words.test(said),
      patienceMs,
    )
  const ofShell = (...lines: string[]): FatFiles => ({
    'STARTUP.NSH': Buffer.from(['@echo -off', ...lines, 'echo all done', ''].join('\r\n')),
  })

  test('starts the boot loader of its disk', async () => {
    const id = await started({ [bootLoader]: efiProgram('a program of UEFI') }, { hardware: hardware() })
    await says(id, /a program of UEFI/)
    expect(await on.report(id)).toMatchObject({ state: 'running', reason: null })
  })

  test('starts none that is unsigned where secure boot is on', async () => {
    const id = await started(
      { [bootLoader]: efiProgram('a program of UEFI') },
      { hardware: hardware({ secure_boot: true }) },
    )
    expect(await says(id, /Access Denied/)).not.toContain('a program of UEFI')
  })

  test('keeps its variables from one machine of an instance to the next', async () => {
    const own = hardware()
    const mark = 'kept -guid 9a1b6a5e-3f0c-4f8e-9d7c-2b1f5c0e7a11'
    const first = await started(ofShell(`setvar ${mark} -nv -bs =S"KEPT"`), { hardware: own })
    await says(first, /all done/)
    await real.fleet.machines.destroy([first])
    const second = await started(ofShell(`setvar ${mark}`), { hardware: own })
    expect(await says(second, /all done/)).toContain('4B 45 50 54')
  })

  test('has the devices that guests without virtio know', async () => {
    const id = await started(ofShell('pci', 'map'), {
      hardware: hardware({ disk_model: 'sata', network_model: 'e1000' }),
    })
    const said = await says(id, /all done/)
    expect(said).toMatch(/Sata\(0x0,/)
    expect(said).toMatch(/Serial ATA/)
  })
})
