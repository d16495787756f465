import type { ImageFile } from './image-headers/fields.ts'
import type { Firmware } from './hardware.rules.ts'

/** What an image is as a CD: none, one that does not boot, or one that boots by this firmware. */
export const cdKinds = ['none', 'data', 'bios', 'uefi', 'either'] as const
export type CdKind = (typeof cdKinds)[number]

/** The CD drives of an instance: an installer, and drivers for it. */
export const cdDrives = 2

/** Whether a CD boots by that firmware. One whose bytes were not read may. */
export const cdBoots = (kind: CdKind | null, firmware: Firmware): boolean =>
  kind === null || kind === 'either' || kind === firmware

export const cdWords: Readonly<Record<CdKind, string>> = {
  none: 'It is not a CD: it has no ISO 9660 file system',
  data: 'It is a CD that does not boot',
  bios: 'It is a CD that boots by a BIOS',
  uefi: 'It is a CD that boots by UEFI',
  either: 'It is a CD that boots by a BIOS and by UEFI',
}

const SECTOR = 2048
const firstDescriptor = 16
/** CDs have three or four. */
const descriptorsMax = 16
const entryBytes = 32

/** ISO 9660 and El Torito, by bytes that may hold anything: at most 34 KiB are read, whatever they say. */
export async function readCdKind({ size, read }: ImageFile): Promise<CdKind> {
  for (let at = firstDescriptor; at < firstDescriptor + descriptorsMax; at++) {
    const sector = await read(at * SECTOR, SECTOR)
    if (sector.length < SECTOR || ascii(sector, 1, 5) !== 'CD001')
      return at === firstDescriptor ? 'none' : 'data'
    if (sector[0] === lastDescriptor) return 'data'
    if (sector[0] !== 0 || ascii(sector, 7, elTorito.length) !== elTorito) continue
    const catalogAt = numberAt(sector, 71) * SECTOR
    if (catalogAt + SECTOR > size) return 'data'
    return kindOf(await read(catalogAt, SECTOR))
  }
  return 'data'
}

const elTorito = 'EL TORITO SPECIFICATION'
const lastDescriptor = 255
const platforms = { bios: 0, uefi: 0xef } as const
const isBootable = 0x88
const headers: ReadonlySet<number | undefined> = new Set([0x90, 0x91])

/** The entries of a boot catalogue: first the default one, then sections, each with a platform. */
function kindOf(catalogue: Uint8Array): CdKind {
  const found = new Set<number>()
  let platform = catalogue[1]
  if (catalogue.length < SECTOR || catalogue[0] !== 1) return 'data'
  for (let at = entryBytes; at < SECTOR; at += entryBytes) {
    if (headers.has(catalogue[at])) platform = catalogue[at + 1]
    else if (catalogue[at] === isBootable && platform !== undefined) found.add(platform)
  }
  const [bios, uefi] = [found.has(platforms.bios), found.has(platforms.uefi)]
  return bios ? (uefi ? 'either' : 'bios') : uefi ? 'uefi' : 'data'
}

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
const numberAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
