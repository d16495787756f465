import type { ImageFile } from './image-headers/fields.ts'
import type { BootRecord } from './hardware.rules.ts'

const SECTOR = 512
/** The code of a BIOS's boot loader in the first sector, before the disk's signature and the table. */
const codeBytes = 440
const table = { at: 446, entryBytes: 16, entries: 4 } as const
/** Where the first sector says that it is valid. */
const signatureAt = 510

const espInMbr = 0xef
/** As they are stored: the first three parts little-endian. */
const partitionTypes = {
  esp: '28732ac11ff8d211ba4b00a0c93ec93b',
  biosBoot: '4861682149646f6e744e656564454649',
} as const

/** Of the table's entries: more than any tool creates, and 64 KiB at most. */
const gptMax = { entries: 128, entryBytes: 512 } as const

/**
 * How a disk boots, by its first sectors, which may hold anything: at most 64 KiB are read, whatever they say. Disks
 * boot with sectors of 512 bytes, so only a table for those is recognised.
 */
export async function readBootRecord({ size, read }: ImageFile): Promise<BootRecord> {
  const head = await read(0, 2 * SECTOR)
  if (head.length < SECTOR || head[signatureAt] !== 0x55 || head[signatureAt + 1] !== 0xaa) return 'none'
  const hasCode = head.subarray(0, codeBytes).some((byte) => byte !== 0)
  const types = await gptTypes(head.subarray(SECTOR), { size, read })
  if (types) {
    if (!types.has(partitionTypes.esp)) return 'gpt'
    return hasCode || types.has(partitionTypes.biosBoot) ? 'either' : 'esp'
  }
  const partitions = Array.from(
    { length: table.entries },
    (_, at) => head[table.at + at * table.entryBytes + 4],
  )
  if (!partitions.includes(espInMbr)) return 'mbr'
  return hasCode ? 'either' : 'esp'
}

/** The types of the partitions in a GUID partition table, if the disk has one. */
async function gptTypes(header: Uint8Array, { size, read }: ImageFile): Promise<Set<string> | undefined> {
  if (header.length < SECTOR || hex(header.subarray(0, 8)) !== '4546492050415254') return undefined
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const at = Number(view.getBigUint64(72, true)) * SECTOR
  const count = Math.min(view.getUint32(80, true), gptMax.entries)
  const entryBytes = view.getUint32(84, true)
  if (entryBytes < 128 || entryBytes > gptMax.entryBytes || at + count * entryBytes > size) return new Set()
  const entries = await read(at, count * entryBytes)
  return new Set(
    Array.from({ length: count }, (_, index) =>
      hex(entries.subarray(index * entryBytes, index * entryBytes + 16)),
    ),
  )
}

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
