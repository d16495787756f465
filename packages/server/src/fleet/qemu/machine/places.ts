import { diskSlots } from '@gantry/control-plane/fleet/disk-slots'

/** An option of QEMU with its value, as two words of the command. */
export type Option = readonly [name: string, value: string]

/** Numbers of QEMU's inherited files. */
export const sets = {
  serialLog: 1,
  scratch: 2,
  seed: 3,
  firstDisk: 4,
  code: 100,
  variables: 101,
  firstCd: 110,
} as const

/**
 * The first PCI slot of each kind of device, so that no device changes the place of another one: guests name disks and
 * network cards by their places. The boot disk is on the root bus, whose devices stay as long as the machine; the other
 * disks and the seed are behind the bridge, and guests find them later.
 */
export const slots = { screen: 0x01, network: 0x02, disk: 0x0a, bridge: 0x0b, random: 0x1e } as const
/** The slot of the seed behind the bridge, after those of all disks. */
export const seedSlot = diskSlots

/** Firmware tries the drives of CDs first, in their order. */
export const diskBootIndex = 8

export const address = (number: number): string => `0x${number.toString(16)}`
