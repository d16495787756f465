import type { Image } from './queries.ts'

type Shown = Omit<NonNullable<Image['hardware']>, 'bootRecord'>

export const firmwareWords = ({ firmware, secureBoot }: Shown): string =>
  firmware === 'uefi' ? (secureBoot ? 'UEFI with secure boot' : 'UEFI') : 'BIOS'

export const deviceWords = ({ diskModel, networkModel, tpm }: Shown): string =>
  `${diskModel === 'sata' ? 'SATA' : 'virtio'} disks, ${networkModel} network${tpm ? ', TPM 2.0' : ''}`
