import { damaged, type Fields, type ImageFile, needsOtherFile, readFields, UnusableImage } from './fields.ts'

/*
 * Images of Hyper-V ([MS-VHDX]). Two copies of a region table locate the metadata, which holds the size of the disk
 * and whether it has a parent.
 */

const KiB64 = 64 * 1024
const regionTables = [3 * KiB64, 4 * KiB64]
const ENTRY_BYTES = 32
const ENTRIES_MAX = 2047
const METADATA_MAX_BYTES = 1024 * 1024

/** GUIDs in the byte order of the file. */
const guids = {
  metadata: '06a27c8b90479a4bb8fe575f050f886e',
  blockTable: '6677c22d23f600429d64115e9bfd4a08',
  parameters: '3767a1ca36fa434db3b633f0aa44e76b',
  diskSize: '2442a52f1bcd7648b2115dbed83bf4b8',
  parentLocator: '2d5fd3a80bb34d45abf7d3d84834ab0c',
} as const

const HAS_PARENT = 2

/** The size of its disk. */
export async function readVhdx(file: ImageFile): Promise<number> {
  const found = await metadataOffsets(file)
  const [offset] = found
  if (offset === undefined) throw damaged('has no table of regions')
  // A program may read either table.
  if (found.some((other) => other !== offset)) throw damaged('has two tables of regions that differ')
  const table = await readFields(file, offset, KiB64, 'little endian')
  if (table.text(0, 8) !== 'metadata') throw damaged('has no metadata')
  const items = entriesOf(table, { count: table.u16(10), first: 32 })
  if (items.has(guids.parentLocator)) throw needsOtherFile('has a parent')
  const parameters = await readItem(file, offset, table, items.get(guids.parameters))
  if ((parameters.u32(4) & HAS_PARENT) !== 0) throw needsOtherFile('has a parent')
  return (await readItem(file, offset, table, items.get(guids.diskSize))).u64(0)
}

/** The offsets of the metadata in each copy of the region table. */
async function metadataOffsets(file: ImageFile): Promise<number[]> {
  const offsets: number[] = []
  for (const at of regionTables) {
    const table = await readFields(file, at, KiB64, 'little endian')
    if (table.text(0, 4) !== 'regi') continue
    const regions = entriesOf(table, { count: table.u32(8), first: 16 })
    const unknown = [...regions].filter(
      ([guid, at]) => guid !== guids.metadata && guid !== guids.blockTable && (table.u32(at + 28) & 1) !== 0,
    )
    if (unknown.length > 0)
      throw new UnusableImage(
        'uses features that this server does not know',
        'Convert it to a plain image first: qemu-img convert -O vhdx image.vhdx plain.vhdx',
      )
    const entry = regions.get(guids.metadata)
    if (entry === undefined) throw damaged('has no metadata')
    offsets.push(table.u64(entry + 16))
  }
  return offsets
}

/** The offsets of the entries of a table, by GUID. */
function entriesOf(table: Fields, { count, first }: { count: number; first: number }): Map<string, number> {
  if (count > ENTRIES_MAX) throw damaged('has a table with too many entries')
  const entries = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const at = first + index * ENTRY_BYTES
    if (at + ENTRY_BYTES > KiB64) throw damaged('has a table with too many entries')
    const guid = table.hex(at, 16)
    if (entries.has(guid)) throw damaged('has a table that names something twice')
    entries.set(guid, at)
  }
  return entries
}

/** The first eight bytes of an item of the metadata. */
async function readItem(
  file: ImageFile,
  metadata: number,
  table: Fields,
  entry: number | undefined,
): Promise<Fields> {
  if (entry === undefined) throw damaged('lacks a part of its metadata')
  const [offset, length] = [table.u32(entry + 16), table.u32(entry + 20)]
  if (offset < KiB64 || length < 8 || offset + length > METADATA_MAX_BYTES)
    throw damaged('has metadata at an impossible place')
  return readFields(file, metadata + offset, 8, 'little endian')
}
