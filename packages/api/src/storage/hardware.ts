import { z } from 'zod'
import { named } from '../schema.ts'
import { clocks, diskModels, firmwares, networkModels } from './hardware.rules.ts'

export const Firmware = named('Firmware', z.enum(firmwares))
export const DiskModel = named('DiskModel', z.enum(diskModels))
export const NetworkModel = named('NetworkModel', z.enum(networkModels))
export const MachineClock = named('MachineClock', z.enum(clocks))

/** What machines have that boot from an image or a disk. */
export const machineHardware = {
  firmware: Firmware,
  /** Whether UEFI starts only boot loaders that are signed. */
  secure_boot: z.boolean(),
  /** Whether machines have a security chip, TPM 2.0. */
  tpm: z.boolean(),
  disk_model: DiskModel,
  network_model: NetworkModel,
  /** What the clock shows when a machine starts. */
  clock: MachineClock,
}
