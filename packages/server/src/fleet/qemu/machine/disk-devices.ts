import { bootSlot } from '@gantry/control-plane/fleet/disk-slots'
import type { MachineDisk, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import type { DiskModel } from '@gantry/api/storage/hardware.rules'
import { address, diskBootIndex, type Option, seedSlot, sets, slots } from './places.ts'

/** The name of the QEMU device and of the block node of a disk, by its number in the machine. */
export const diskNode = (number: number): string => `disk${number}`

/** The bus of disks that a guest may get and release while it runs: a bridge that it knows by ACPI. */
export const BRIDGE = 'plugs'

/** The disks of a machine and its seed. */
export function diskOptions(
  { disks, hardware: { disk_model: model } }: Pick<MachineSpec, 'disks' | 'hardware'>,
  files: { disks: readonly number[]; seed: number },
): Option[] {
  return [
    ...(model === 'sata'
      ? controllers(disks)
      : [['-device', `pcie-pci-bridge,id=${BRIDGE},addr=${address(slots.bridge)}`] as const]),
    ...disks.flatMap((disk, number): Option[] => {
      const set = sets.firstDisk + number
      return [
        ['-add-fd', `fd=${files.disks[number] ?? -1},set=${set}`],
        ['-blockdev', JSON.stringify(diskBlocks(disk, number, fdSet(set)))],
        ['-device', JSON.stringify(diskDevice(disk, number, model))],
      ]
    }),
    ...seedOptions(files.seed, model),
  ]
}

const SATA_PORTS = 6
const controller = (number: number): string => `sata${number}`

/** As many SATA controllers as the highest slot needs, in the places that disks without a controller have. */
function controllers(disks: readonly MachineDisk[]): Option[] {
  const count = Math.max(0, ...disks.map(({ slot }) => Math.floor(slot / SATA_PORTS) + 1))
  return Array.from({ length: count }, (_, number) => [
    '-device',
    `ahci,id=${controller(number)},addr=${address(slots.disk + number)}`,
  ])
}

/** The block node of a disk. The process has the file of a read-only disk for reading alone. */
export const diskBlocks = (disk: MachineDisk, number: number, filename: string): Record<string, unknown> =>
  rawNode(
    diskNode(number),
    { filename, aio: 'threads' },
    disk.read_only ? { 'read-only': true } : { discard: 'unmap' },
  )

/** What the guest finds. */
export function diskDevice(disk: MachineDisk, number: number, model: DiskModel): Record<string, unknown> {
  const node = diskNode(number)
  return {
    ...(model === 'sata' ? sataPlace(disk) : virtioPlace(disk)),
    id: node,
    drive: node,
    serial: serialNumber(disk),
    // No SATA disk of QEMU has others.
    logical_block_size: model === 'sata' ? 512 : logicalBlockSize(disk),
    physical_block_size: disk.block_size,
    // Without space the guest is paused until there is some. The guest gets any other error, as from a real
    // disk.
    werror: 'enospc',
    rerror: 'report',
    ...(disk.is_boot && { bootindex: diskBootIndex }),
  }
}

const sataPlace = ({ slot, read_only }: MachineDisk) => ({
  // No SATA disk of QEMU is read-only, but a CD is.
  driver: read_only ? 'ide-cd' : 'ide-hd',
  bus: `${controller(Math.floor(slot / SATA_PORTS))}.${slot % SATA_PORTS}`,
})
const virtioPlace = ({ slot }: MachineDisk) => ({
  driver: 'virtio-blk-pci',
  ...(slot === bootSlot ? { addr: address(slots.disk) } : { bus: BRIDGE, addr: address(slot) }),
})

export const fdSet = (set: number): string => `/dev/fdset/${set}`

/** A raw file as a block node; both layers have the same options. */
export const rawNode = (name: string, file: Record<string, unknown>, options: Record<string, unknown>) => ({
  driver: 'raw',
  'node-name': name,
  ...options,
  file: { driver: 'file', ...file, ...options },
})
export const blockNode = (...node: Parameters<typeof rawNode>): string => JSON.stringify(rawNode(...node))

/** SeaBIOS boots only from disks with 512-byte sectors; the guest still learns the fast size. */
const logicalBlockSize = ({ is_boot, block_size }: MachineDisk): number => (is_boot ? 512 : block_size)

/** The maximum of a serial number in virtio. */
const SERIAL_CHARACTERS = 20

/**
 * Identifies a disk in the guest, whatever else is attached: its name, or of a longer name the beginning with part of
 * the disk's id. No name contains the separator, so two disks of a project never have the same one.
 */
export const serialNumber = ({ id, name }: Pick<MachineDisk, 'id' | 'name'>): string =>
  name.length <= SERIAL_CHARACTERS ? name : `${name.slice(0, 11)}_${id.slice(-8)}`

/** Not a name that a disk could have. */
const SEED_SERIAL = 'CIDATA'

/** A guest without virtio reads it from a CD, in the last port of the chipset's own controller. */
const seedOptions = (file: number, model: DiskModel): Option[] => [
  ['-add-fd', `fd=${file},set=${sets.seed}`],
  ['-blockdev', blockNode('seed', { filename: fdSet(sets.seed) }, { 'read-only': true })],
  [
    '-device',
    model === 'sata'
      ? `ide-cd,drive=seed,serial=${SEED_SERIAL},bus=ide.${SATA_PORTS - 1}`
      : `virtio-blk-pci,drive=seed,serial=${SEED_SERIAL},bus=${BRIDGE},addr=${address(seedSlot)}`,
  ],
]
