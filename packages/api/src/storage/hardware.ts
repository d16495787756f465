import { z } from 'zod'
import { maybe, named } from '../schema.ts'
import { cdKinds } from './cd.rules.ts'
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

export const CdKind = named('CdKind', z.enum(cdKinds))

/** Choices among it: what is absent is left as it is. */
export const HardwareChoice = named(
  'HardwareChoice',
  z.object({
    firmware: maybe(Firmware),
    /** Needs UEFI. */
    secure_boot: maybe(z.boolean()),
    tpm: maybe(z.boolean()),
    disk_model: maybe(DiskModel),
    network_model: maybe(NetworkModel),
    clock: maybe(MachineClock),
  }),
)
export type HardwareChoice = z.infer<typeof HardwareChoice>
