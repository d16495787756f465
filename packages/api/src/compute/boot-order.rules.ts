import { cdBoots, type CdKind } from '../storage/cd.rules.ts'
import type { Firmware } from '../storage/hardware.rules.ts'

interface Bootable {
  firmware: Firmware
  /** The CDs in its drives, in their order. */
  cds: readonly { name: string; kind: CdKind | null }[]
  /** Its boot disk, if it has one, as in "disk db-1". */
  disk: string | undefined
}

const firmwareNames: Readonly<Record<Firmware, string>> = { bios: 'BIOS', uefi: 'UEFI' }

/** What a machine boots from and why, in a sentence or two. Its CDs come first. */
export function bootWords({ firmware, cds, disk }: Bootable): string {
  const named = ({ name }: { name: string }) => `the CD ${name}`
  const places = [
    ...cds.filter(({ kind }) => cdBoots(kind, firmware)).map(named),
    ...(disk === undefined ? [] : [disk]),
  ]
  const [first, ...later] = places
  const order =
    first === undefined
      ? 'Nothing boots: it has no disk, and no CD that boots'
      : later.length === 0
        ? `Boots from ${first}`
        : `Boots from ${first} first, then from ${later.join(', then from ')}`
  const not = cds
    .filter(({ kind }) => !cdBoots(kind, firmware))
    .map((cd) =>
      cd.kind === 'bios' || cd.kind === 'uefi'
        ? ` The CD ${cd.name} boots only by ${firmwareNames[cd.kind]}, and the instance has ${firmwareNames[firmware]}.`
        : ` The CD ${cd.name} does not boot.`,
    )
  return `${order}.${not.join('')}`
}

/**
 * The firmware of a new instance whose boot disk says nothing: what its installer boots by. A BIOS where both do, as with
 * images of disks.
 */
export const firmwareOfInstaller = (cds: readonly (CdKind | null)[]): Firmware | undefined => {
  const first = cds.find((kind) => kind !== null && kind !== 'data' && kind !== 'none')
  return first === undefined ? undefined : first === 'uefi' ? 'uefi' : 'bios'
}
