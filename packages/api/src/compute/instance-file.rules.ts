import { MiB } from '../base/bytes.rules.ts'

/**
 * Files that hold an instance: a tar archive of ours with its description and a qcow2 image of each disk, or an OVA
 * (DMTF's Open Virtualization Format), which other products read.
 */
export const instanceFileFormats = ['gantry', 'ova'] as const
export type InstanceFileFormat = (typeof instanceFileFormats)[number]

export const instanceFileWords: Readonly<
  Record<InstanceFileFormat, { label: string; text: string; ending: string }>
> = {
  gantry: {
    label: 'Gantry archive',
    text: 'A tar archive with all settings and a qcow2 image of each disk.',
    ending: 'tar',
  },
  ova: {
    label: 'OVA',
    text: 'For VirtualBox, VMware and others: vCPUs, memory, disks and interfaces.',
    ending: 'ova',
  },
}

/** The first entry of our archives, and the last one, with the SHA-256 of the others. */
export const instanceFileName = 'instance.json'
export const instanceFileDigests = 'SHA256SUMS'
export const instanceFileVersion = 1

/** What an instance may have that no file holds. */
export const exportLacks = ['user_data', 'ssh_keys', 'cds', 'addresses', 'groups', 'firmware_state'] as const
export type ExportLack = (typeof exportLacks)[number]

export const exportLackWords: Readonly<Record<ExportLack, string>> = {
  user_data: 'its user data, which may hold secrets',
  ssh_keys: 'its SSH keys, which are in its disks once it has booted',
  cds: 'the CDs in its drives',
  addresses: 'its addresses',
  groups: 'its affinity groups',
  firmware_state: 'what its firmware and its security chip keep: boot order and sealed keys',
}

/** Bounds of a description and of a list of digests, and of the entries of an archive. */
export const instanceFileTextMax = MiB
export const instanceFileEntries = 64
