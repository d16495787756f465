import type { MachineCd } from '@gantry/control-plane/fleet/fleet'
import { fdSet, rawNode } from './disk-devices.ts'
import { type Option, sets } from './places.ts'

/** The QEMU device of a drive, on a port of the chipset's own controller, which every guest knows. */
export const cdDevice = (drive: number): string => `cd${drive}`

/** Says by its name which bytes it has: an id with all its digits is too long for the name of a block node. */
export const cdNode = (drive: number, { content_id }: Pick<MachineCd, 'content_id'>): string =>
  `${cdDevice(drive)}-${BigInt(`0x${content_id.replaceAll('-', '')}`).toString(36)}`

/** The id of the bytes of a node in a drive. */
export function contentOfNode(node: string): string {
  let value = 0n
  for (const digit of node.slice(cdDevice(0).length + 1))
    value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Firmware tries the drives in their order, and the boot disk after them. */
export const cdBootIndex = (drive: number): number => drive

export const cdBlocks = (drive: number, cd: MachineCd, filename: string): Record<string, unknown> =>
  rawNode(cdNode(drive, cd), { filename, aio: 'threads' }, { 'read-only': true })

/** The drives of a machine with what is in them. QEMU inherits the files, of those that are not empty. */
export const cdOptions = (
  cds: readonly (MachineCd | null)[],
  files: readonly (number | undefined)[],
): Option[] =>
  cds.flatMap((cd, drive): Option[] => {
    const device = { driver: 'ide-cd', id: cdDevice(drive), bus: `ide.${drive}` }
    const file = files[drive]
    if (!cd || file === undefined) return [['-device', JSON.stringify(device)]]
    const set = sets.firstCd + drive
    return [
      ['-add-fd', `fd=${file},set=${set}`],
      ['-blockdev', JSON.stringify(cdBlocks(drive, cd, fdSet(set)))],
      [
        '-device',
        JSON.stringify({
          ...device,
          drive: cdNode(drive, cd),
          ...(cd.boots && { bootindex: cdBootIndex(drive) }),
        }),
      ],
    ]
  })
