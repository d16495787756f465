/** What finds the boot loader of a machine. */
export const firmwares = ['bios', 'uefi'] as const
export type Firmware = (typeof firmwares)[number]
/** Disks as virtio has them, or as every system since 2005 knows them. */
export const diskModels = ['virtio', 'sata'] as const
export type DiskModel = (typeof diskModels)[number]
export const networkModels = ['virtio', 'e1000'] as const
export type NetworkModel = (typeof networkModels)[number]
/** What the clock of a machine shows at its start. */
export const clocks = ['utc', 'local'] as const
export type Clock = (typeof clocks)[number]

/** What machines have that boot from a disk with certain bytes. */
export interface Hardware {
  firmware: Firmware
  /** UEFI starts only boot loaders that are signed. */
  secure_boot: boolean
  /** A security chip, TPM 2.0. */
  tpm: boolean
  disk_model: DiskModel
  network_model: NetworkModel
  clock: Clock
}

export const usualHardware: Hardware = {
  firmware: 'bios',
  secure_boot: false,
  tpm: false,
  disk_model: 'virtio',
  network_model: 'virtio',
  clock: 'utc',
}

/** How the first bytes of a disk say that it boots. */
export const bootRecords = ['none', 'mbr', 'gpt', 'either', 'esp'] as const
export type BootRecord = (typeof bootRecords)[number]

/** Where either works, a BIOS it is: it starts faster, and has no variables that could be lost. */
export const firmwareFor = (record: BootRecord): Firmware => (record === 'esp' ? 'uefi' : 'bios')

/** Why that firmware, in a sentence about the image. */
export const bootRecordWords: Readonly<Record<BootRecord, string>> = {
  none: 'It has no partition table',
  mbr: 'It has a partition table of a BIOS',
  gpt: 'It has a GUID partition table without an EFI system partition',
  either: 'It has an EFI system partition, and boot code for a BIOS too',
  esp: 'It has an EFI system partition, and no boot code for a BIOS',
}

export const hardwareProblem = ({ firmware, secure_boot }: Pick<Hardware, 'firmware' | 'secure_boot'>) =>
  secure_boot && firmware !== 'uefi' ? 'Secure boot needs UEFI' : undefined
