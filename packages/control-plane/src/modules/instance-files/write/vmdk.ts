import { type DiskBytes, type LaidOut, readUnits, unitBytes, writtenUnits } from './written-units.ts'

/*
 * Images of VMware of the kind `streamOptimized` (VMware's "Virtual Disk Format 5.0"), which an OVA has. Each grain is a
 * zlib stream. Ours are stored in it without compression, so that the size of the file follows from which grains are
 * written: an archive names it before the bytes.
 */

const SECTOR = 512
const grainSectors = unitBytes / SECTOR
const grainsPerTable = 512
/** Sectors of the header and the descriptor, before the first grain. */
const overhead = 128
const descriptorSectors = 20
const AT_END = 0xffff_ffff_ffff_ffffn
const marker = { end: 0, table: 1, directory: 2, footer: 3 } as const

/** What a block of a deflate stream without compression holds at most (RFC 1951). */
const storedMax = 0xffff
const storedHeader = 5
const zlibHeader = 2
const zlibTrailer = 4
const grainHeader = 12
const packedBytes = zlibHeader + Math.ceil(unitBytes / storedMax) * storedHeader + unitBytes + zlibTrailer
const sectorsOfGrain = Math.ceil((grainHeader + packedBytes) / SECTOR)
const sectorsOfTable = (grainsPerTable * 4) / SECTOR

/** `id` names the contents: it is the same for the same bytes. */
export async function vmdkOf(disk: DiskBytes, { name, id }: { name: string; id: number }): Promise<LaidOut> {
  const units = await writtenUnits(disk, grainsPerTable)
  const capacity = Math.ceil(disk.size / SECTOR)
  const tables = units.perGroup.length
  const written = units.perGroup.reduce((sum, own) => sum + (own > 0 ? 1 : 0), 0)
  const directorySectors = Math.ceil((tables * 4) / SECTOR)
  const directoryAt = overhead + units.count * sectorsOfGrain + written * (1 + sectorsOfTable) + 1
  const total = directoryAt + directorySectors + 3

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield beginning(capacity, name, id)
    let at = overhead
    const directory = new Uint8Array(directorySectors * SECTOR)
    const directoryView = new DataView(directory.buffer)
    for (const [group, own] of units.perGroup.entries()) {
      if (own === 0) continue
      const table = new Uint8Array(SECTOR + sectorsOfTable * SECTOR)
      writeMarker(table, sectorsOfTable, marker.table)
      const tableView = new DataView(table.buffer, SECTOR)
      const first = group * grainsPerTable
      const end = Math.min(first + grainsPerTable, Math.ceil(disk.size / unitBytes))
      for await (const read of readUnits(disk, units, first, end)) {
        const count = read.bytes.length / unitBytes
        const packed = new Uint8Array(count * sectorsOfGrain * SECTOR)
        for (let grain = 0; grain < count; grain++) {
          const unit = read.first + grain
          const bytes = read.bytes.subarray(grain * unitBytes, (grain + 1) * unitBytes)
          packGrain(packed.subarray(grain * sectorsOfGrain * SECTOR), unit * grainSectors, bytes)
          tableView.setUint32((unit - first) * 4, at, true)
          at += sectorsOfGrain
        }
        yield packed
      }
      directoryView.setUint32(group * 4, at + 1, true)
      at += 1 + sectorsOfTable
      yield table
    }
    const directoryMarker = new Uint8Array(SECTOR)
    writeMarker(directoryMarker, directorySectors, marker.directory)
    yield directoryMarker
    yield directory
    const footer = new Uint8Array(3 * SECTOR)
    writeMarker(footer, 1, marker.footer)
    footer.set(header(capacity, BigInt(directoryAt)), SECTOR)
    yield footer
  }
  return { size: total * SECTOR, pieces }
}

function header(capacity: number, directory: bigint): Uint8Array {
  const bytes = new Uint8Array(SECTOR)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x564d444b, true)
  view.setUint32(4, 3, true)
  // The line ends are intact, grains are compressed, and there are markers.
  view.setUint32(8, 0x3_0001, true)
  view.setBigUint64(12, BigInt(capacity), true)
  view.setBigUint64(20, BigInt(grainSectors), true)
  view.setBigUint64(28, 1n, true)
  view.setBigUint64(36, BigInt(descriptorSectors), true)
  view.setUint32(44, grainsPerTable, true)
  view.setBigUint64(56, directory, true)
  view.setBigUint64(64, BigInt(overhead), true)
  bytes.set([0x0a, 0x20, 0x0d, 0x0a], 73)
  view.setUint16(77, 1, true)
  return bytes
}

function beginning(capacity: number, name: string, id: number): Uint8Array {
  const bytes = new Uint8Array(overhead * SECTOR)
  bytes.set(header(capacity, AT_END))
  const [heads, sectors] = [255, 63]
  const text = `# Disk DescriptorFile
version=1
CID=${id.toString(16).padStart(8, '0')}
parentCID=ffffffff
createType="streamOptimized"

# Extent description
RW ${capacity} SPARSE "${name}"

# The Disk Data Base
#DDB

ddb.virtualHWVersion = "4"
ddb.geometry.cylinders = "${Math.min(65535, Math.ceil(capacity / heads / sectors))}"
ddb.geometry.heads = "${heads}"
ddb.geometry.sectors = "${sectors}"
ddb.adapterType = "lsilogic"
`
  bytes.set(new TextEncoder().encode(text), SECTOR)
  return bytes
}

function writeMarker(to: Uint8Array<ArrayBuffer>, sectors: number, type: number): void {
  const view = new DataView(to.buffer, to.byteOffset, SECTOR)
  view.setBigUint64(0, BigInt(sectors), true)
  view.setUint32(12, type, true)
}

/** A grain with its marker: its place, its length, and a zlib stream of stored blocks (RFC 1950). */
function packGrain(to: Uint8Array<ArrayBuffer>, sector: number, bytes: Uint8Array): void {
  const view = new DataView(to.buffer, to.byteOffset)
  view.setBigUint64(0, BigInt(sector), true)
  view.setUint32(8, packedBytes, true)
  to.set([0x78, 0x01], grainHeader)
  let at = grainHeader + zlibHeader
  for (let from = 0; from < bytes.length; from += storedMax) {
    const part = bytes.subarray(from, from + storedMax)
    to[at] = from + part.length === bytes.length ? 1 : 0
    view.setUint16(at + 1, part.length, true)
    view.setUint16(at + 3, ~part.length & 0xffff, true)
    to.set(part, at + storedHeader)
    at += storedHeader + part.length
  }
  view.setUint32(at, adler32(bytes))
}

const adlerModulus = 65521
/** So many sums stay below 2 to the power of 32. */
const adlerRun = 5552

function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + adlerRun)
    for (; at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= adlerModulus
    b %= adlerModulus
  }
  return b * 0x1_0000 + a
}
