import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { MiB } from '@gantry/api/base/bytes.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import type {
  Fleet,
  MachineDisk,
  MachineInterface,
  MachineReport,
  MachineSpec,
} from '@gantry/control-plane/fleet/fleet'
import { eventually } from '@gantry/control-plane/testing/control-plane'
import { fileBlocks, type FileBlocks } from '../blocks/blocks-files.ts'
import { openQemuFleet, type QemuFleet, type QemuFleetOptions } from '../fleet/qemu/fleet.ts'
import { readRecord } from '../fleet/qemu/machine/record.ts'
import { fleetFolder, machinesFolder, volumeFile, volumesFolder } from '../fleet/qemu/host/folders.ts'
import { hostCommand } from '../fleet/qemu/host/host-command.ts'
import { fleetRequirements } from '../fleet/qemu/host/requirements.ts'
import { type FreeSpace, freeSpace } from '../space/free-space.ts'
import { guestSector } from './guest/sector.ts'

/** Why real machines cannot be tested here, if they cannot. */
export async function missingForQemu(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux'
  const { missing } = await fleetRequirements()
  return missing.length > 0 ? `${missing.map(({ program }) => program).join(', ')} missing` : undefined
}

export const machinesIn = (dataDir: string): string => machinesFolder(fleetFolder(dataDir))
export const machineFolderIn = (dataDir: string, id: string): string => path.join(machinesIn(dataDir), id)
export const volumesIn = (dataDir: string): string => volumesFolder(fleetFolder(dataDir))
/** The bytes of a volume. */
export const volumeFileIn = (dataDir: string, id: string): string =>
  volumeFile(path.join(volumesIn(dataDir), id))

/** A fleet of real machines in a folder of its own. */
export interface RealFleet {
  dataDir: string
  blocks: FileBlocks
  space: FreeSpace
  fleet: Fleet
  driver: QemuFleet
  /** As a new process finds it. */
  restarted: () => Promise<Fleet>
  /** A specification whose guest is the one of `guest/guest.s`. */
  bootable: (spec: MachineSpec) => Promise<MachineSpec>
  /** Ends everything that runs, and removes it all. */
  remove: () => Promise<void>
}

/** What messages of the driver are written to; errors are printed. */
const quiet: QemuFleetOptions['log'] = {
  info: () => {},
  warn: () => {},
  error: (fields, message) => console.error(message, fields),
}

export interface RealFleetOptions {
  /** Instead of a new folder. */
  dataDir?: string
  space?: FreeSpace
  log?: QemuFleetOptions['log']
}

export async function realFleet(options: RealFleetOptions = {}): Promise<RealFleet> {
  const dataDir = options.dataDir ?? (await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-fleet-')))
  const space = options.space ?? freeSpace(dataDir, 0)
  const blocks = await fileBlocks(path.join(dataDir, 'blocks'), space)
  const open = () =>
    openQemuFleet({
      dataDir,
      space,
      blocks,
      log: options.log ?? quiet,
    })
  let driver = await open()
  const real: RealFleet = {
    dataDir,
    blocks,
    space,
    driver,
    fleet: driver.fleet(),
    async restarted() {
      await driver.close()
      real.driver = driver = await open()
      return (real.fleet = driver.fleet())
    },
    async bootable(spec) {
      const boot = await bootDisk(real.fleet)
      return { ...spec, memory: 64 * MiB, disks: [...spec.disks, { ...boot, slot: spec.disks.length }] }
    },
    async remove() {
      const { machines } = real.fleet
      await machines.destroy(await machines.list(undefined, 10_000))
      await driver.close()
      await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
  return real
}
export const testHost = 'a0000000-0000-4000-8000-000000000000'

/** A new volume with the guest on it. */
export async function bootDisk(fleet: Fleet, size = 64 * MiB): Promise<MachineDisk> {
  const content_id = crypto.randomUUID()
  await fleet.volumes.create(content_id, size)
  await fleet.volumes.write(content_id, 0, guestSector)
  const disk = { id: crypto.randomUUID(), name: 'boot', content_id, size, block_size: 512 }
  return { ...disk, slot: 0, is_boot: true, read_only: false }
}

/** With a boot disk that has the demo image on it, whose guest has an agent. */
export async function withDemoLinux(real: RealFleet, image: string, spec: MachineSpec): Promise<MachineSpec> {
  const [size, content_id] = [256 * MiB, crypto.randomUUID()]
  await real.fleet.volumes.create(content_id, size)
  const file = volumeFileIn(real.dataDir, content_id)
  await hostCommand(['qemu-img', 'convert', '-n', '-O', 'raw', image, file], { deadlineMs: 120_000 })
  const boot = { id: content_id, name: 'boot', content_id, size, block_size: 512, slot: spec.disks.length }
  return { ...spec, memory: 256 * MiB, disks: [...spec.disks, { ...boot, is_boot: true, read_only: false }] }
}

export const machineSpec = (more: Partial<MachineSpec> = {}): MachineSpec => ({
  id: crypto.randomUUID(),
  instance_id: crypto.randomUUID(),
  host_id: testHost,
  name: 'tested',
  hostname: 'tested',
  ncpus: 1,
  memory: 64 * MiB,
  user_data: '',
  ssh_keys: [],
  disks: [],
  interfaces: [],
  hardware: { ...usualHardware, variables_id: null, tpm_id: null },
  cds: [null, null],
  os: '',
  version: '',
  ...more,
})

export const machineInterface = (more: Partial<MachineInterface> = {}): MachineInterface => ({
  id: 'net0',
  name: 'net0',
  slot: 0,
  mac: 'A8:40:25:00:00:01',
  ip: '10.0.0.5',
  ipv6: null,
  is_primary: true,
  vpc_id: '',
  subnet_id: '',
  subnet: '10.0.0.0/24',
  transit_ips: [],
  ...more,
})

/** What a test does with the machines of a fleet; `real.fleet` may be another one after a restart. */
export function machinesOf(real: RealFleet) {
  const report = async (id: string) => (await real.fleet.machines.states([id])).get(id)
  const becomes = (id: string, state: MachineReport['state'], ms?: number) =>
    eventually(
      () => report(id),
      (seen) => seen?.state === state,
      ms,
    )
  const text = async (id: string): Promise<string> => {
    const { bytes } = await real.fleet.serial.read(id, 0, 64 * MiB)
    return Buffer.from(bytes).toString('latin1')
  }
  return {
    report,
    becomes,
    text,
    says: (id: string, words: string) =>
      eventually(
        () => text(id),
        (said) => said.includes(words),
      ),
    type: (id: string, keys: string) => real.fleet.serial.write(id, Buffer.from(keys)),
    /** A machine that runs the guest of `guest/guest.s`. */
    async booted(more: Partial<MachineSpec> = {}): Promise<MachineSpec> {
      const spec = await real.bootable(machineSpec(more))
      await real.fleet.machines.ensure(spec)
      await becomes(spec.id, 'running')
      await eventually(
        () => text(spec.id),
        (said) => said.includes('guest ready'),
      )
      return spec
    },
    /** The process of a machine, as its record has it. */
    async process(id: string): Promise<number> {
      return (await readRecord(machineFolderIn(real.dataDir, id))).process?.pid ?? 0
    },
  }
}
