import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { hostCommand } from '../../packages/server/src/fleet/qemu/host/host-command.ts'
import { isRunning, type ProcessIdentity } from '../../packages/server/src/fleet/qemu/host/processes.ts'
import { readRecord } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { hasTpm } from '../../packages/server/src/fleet/qemu/machine/tpm.ts'
import {
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
  volumeFileIn,
} from '../../packages/server/src/testing/qemu.ts'

const image = fileURLToPath(new URL('../../dist/demo-image.qcow2', import.meta.url))
const missing =
  (await missingForQemu()) ??
  ((await hasTpm()) ? undefined : 'swtpm is missing') ??
  (existsSync(image) ? undefined : 'there is no demo image: npm run demo-image makes it')
if (missing) console.warn(`skipped: machines with a TPM, ${missing}`)

/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 300_000
const MiB = 1024 ** 2

describe.skipIf(missing)('a machine with a TPM', () => {
  let real: RealFleet
  let on: ReturnType<typeof machinesOf>
  const volume = crypto.randomUUID()
  const tpm_id = crypto.randomUUID()
  beforeAll(async () => {
    real = await realFleet()
    on = machinesOf(real)
    const file = volumeFileIn(real.dataDir, volume)
    await real.fleet.volumes.create(volume, 256 * MiB)
    await hostCommand(['qemu-img', 'convert', '-n', '-O', 'raw', image, file], { deadlineMs: patienceMs })
  })
  afterAll(() => real.remove())

  async function started(): Promise<string> {
    const size = 256 * MiB
    const disk = {
      id: volume,
      name: 'boot',
      content_id: volume,
      size,
      block_size: 512,
      slot: 0,
      is_boot: true,
      read_only: false,
    }
    const spec = machineSpec({
      memory: 256 * MiB,
      disks: [disk],
      hardware: { ...usualHardware, tpm: true, variables_id: null, tpm_id },
    })
    await real.fleet.machines.ensure(spec)
    await on.becomes(spec.id, 'running')
    return spec.id
  }
  const tpmProcess = async (id: string): Promise<ProcessIdentity> => {
    const { tpm } = await readRecord(machineFolderIn(real.dataDir, id))
    if (!tpm) throw new Error('The machine has no TPM.')
    return tpm
  }
  const stateOfChip = (): Promise<Buffer> => fs.readFile(volumeFileIn(real.dataDir, tpm_id))
  const ends = (one: ProcessIdentity) =>
    eventually(
      () => isRunning(one),
      (runs) => !runs,
    )
  async function run(id: string, command: string, words: RegExp): Promise<string> {
    await real.fleet.serial.write(id, Buffer.from(`${command}\n`))
    return eventually(
      () => on.text(id),
      (said) => words.test(said),
      patienceMs,
    )
  }

  test('has it in its guest, with the same state in its next machine, and it ends with each', async () => {
    const first = await started()
    await eventually(
      () => on.text(first),
      (said) => said.includes('login: '),
      patienceMs,
    )
    await run(first, 'root', /:.*# /)
    expect(await run(first, 'cat /sys/class/tpm/tpm0/tpm_version_major', /major\s+\d/)).toMatch(/major\s+2/)
    const chip = await tpmProcess(first)
    await real.restarted()
    expect([await on.report(first), await isRunning(chip)]).toMatchObject([{ state: 'running' }, true])
    await real.fleet.machines.destroy([first])
    const before = await stateOfChip()
    expect(await isRunning(chip)).toBe(false)
    const second = await started()
    const next = await tpmProcess(second)
    await eventually(
      () => on.text(second),
      (said) => said.includes('login: '),
      patienceMs,
    )
    // Counters differ. Another chip would have other seeds, of 192 random bytes.
    const after = await stateOfChip()
    const same = before.filter((byte, at) => byte === after[at]).length
    expect([before.length > 1000, before.length - same < 150]).toEqual([true, true])
    process.kill(await on.process(second), 'SIGKILL')
    expect(await on.becomes(second, 'failed')).toMatchObject({ reason: { code: 'machine_crashed' } })
    await ends(next)
  })
})
