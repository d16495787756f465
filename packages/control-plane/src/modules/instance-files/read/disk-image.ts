import { type ImageFile as File, readImageHeader } from '@gantry/api/storage/image-header.rules'
import { recognise } from '@gantry/api/storage/image-format.rules'
import { damagedFile, readExactly, unusable } from './unusable-file.ts'

/** A disk in an image: its size, and what is written of it, in order. Pieces without bytes tell how far it is. */
export interface ReadDisk {
  size: number
  pieces: () => AsyncGenerator<{ offset: number; bytes: Uint8Array<ArrayBuffer> }>
}

/**
 * Opens an image of a disk. Its header is checked as that of an uploaded image is: one that names other files is refused.
 * Tables of the image lead nowhere but into the file itself, and nothing is read beyond the size of the disk.
 */
export async function openDisk(name: string, file: File): Promise<ReadDisk> {
  const kind = await recognise(file)
  if (kind !== 'qcow2' && kind !== 'vmdk')
    throw unusable(
      `Disk ${name} is neither a qcow2 nor a VMDK image.`,
      'Convert it first: qemu-img convert -O qcow2 disk disk.qcow2. Then pack the instance again.',
    )
  const { size, problem } = await readImageHeader(kind, file)
  if (problem) throw unusable(`Disk ${name} cannot be read. ${problem.message}`, problem.help)
  return kind === 'qcow2' ? openQcow2(name, file, size) : openVmdk(name, file, size)
}

const plain = (name: string, what: string) =>
  unusable(
    `Disk ${name} is an image ${what}, which is not read.`,
    'Make a plain image of it: qemu-img convert -O qcow2 disk plain.qcow2. Then pack the instance again.',
  )

const offsetMask = 0x00ff_ffff_ffff_fe00n
const compressedFlag = 1n << 62n
const zeroFlag = 1n

async function openQcow2(name: string, file: File, size: number): Promise<ReadDisk> {
  const header = new DataView((await readExactly(file, 0, 72)).slice().buffer)
  const version = header.getUint32(4)
  if (version > 2) {
    const features = new DataView((await readExactly(file, 72, 8)).slice().buffer).getUint32(4)
    if ((features & 0b1_0000) !== 0) throw plain(name, 'with subclusters')
    if ((features & 0b1000) !== 0) throw plain(name, 'compressed by zstd')
  }
  const bits = header.getUint32(20)
  const cluster = 2 ** bits
  const perTable = cluster / 8
  const tables = {
    file,
    offset: Number(header.getBigUint64(40)),
    count: Math.ceil(size / (perTable * cluster)),
    entryBytes: 8,
  }
  const shift = BigInt(62 - (bits - 8))

  async function readCluster(entry: bigint): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if ((entry & compressedFlag) !== 0n) {
      const offset = Number(entry & ((1n << shift) - 1n))
      const sectors = Number((entry & (compressedFlag - 1n)) >> shift) + 1
      const length = Math.min(sectors * 512 - (offset % 512), file.size - offset)
      return inflated('deflate-raw', await readExactly(file, offset, length), cluster)
    }
    const offset = Number(entry & offsetMask)
    if (offset === 0 || (version > 2 && (entry & zeroFlag) !== 0n)) return undefined
    // The last cluster of a file may be shorter.
    const length = Math.min(cluster, file.size - offset)
    const bytes = new Uint8Array(cluster)
    bytes.set(await readExactly(file, offset, length))
    return bytes
  }
  async function* pieces() {
    for await (const { first, end, view } of windowsOf(tables)) {
      for (let table = first; table < end; table++) {
        const at = Number(view.getBigUint64((table - first) * 8) & offsetMask)
        if (at === 0) continue
        yield { offset: table * perTable * cluster, bytes: none }
        const l2 = new DataView((await readExactly(file, at, cluster)).slice().buffer)
        for (let entry = 0; entry < perTable; entry++) {
          const offset = (table * perTable + entry) * cluster
          if (offset >= size) return
          const bytes = await readCluster(l2.getBigUint64(entry * 8))
          if (bytes) yield { offset, bytes: bytes.subarray(0, Math.min(cluster, size - offset)) }
        }
      }
      yield { offset: Math.min(size, end * perTable * cluster), bytes: none }
    }
  }
  return { size, pieces }
}

const none = new Uint8Array(0)
const windowBytes = 64 * 1024

/** A table of tables, a window at a time: a request may open the images of many disks, each with one of 32 MiB. */
async function* windowsOf(table: { file: File; offset: number; count: number; entryBytes: number }) {
  const each = windowBytes / table.entryBytes
  for (let first = 0; first < table.count; first += each) {
    const end = Math.min(table.count, first + each)
    const [from, length] = [first * table.entryBytes, (end - first) * table.entryBytes]
    const bytes = await readExactly(table.file, table.offset + from, length)
    yield { first, end, view: new DataView(bytes.slice().buffer) }
  }
}

const SECTOR = 512
const grainMinBytes = 8 * SECTOR
const directoryMaxBytes = 32 * 1024 * 1024
const grainMaxBytes = 4 * 1024 * 1024

async function openVmdk(name: string, file: File, size: number): Promise<ReadDisk> {
  const read = async (at: number, length: number) =>
    new DataView((await readExactly(file, at, length)).slice().buffer)
  const first = await read(0, SECTOR)
  const isStream = first.getBigUint64(56, true) === 0xffff_ffff_ffff_ffffn
  const header = isStream ? await read(file.size - 2 * SECTOR, SECTOR) : first
  const flags = header.getUint32(8, true)
  const isCompressed = (flags & 0x1_0000) !== 0
  const grain = Number(header.getBigUint64(20, true)) * SECTOR
  const perTable = header.getUint32(44, true)
  if (grain < grainMinBytes || grain > grainMaxBytes)
    throw plain(name, 'with grains of less than 4 KiB or more than 4 MiB')
  const tables = Math.ceil(size / grain / perTable)
  if (tables * 4 > directoryMaxBytes) throw plain(name, 'with too many tables')
  const offset = Number(header.getBigUint64(56, true)) * SECTOR
  if (offset + tables * 4 > file.size) throw damagedFile(`disk ${name} has a table beyond its end`)
  const directory = { file, offset, count: tables, entryBytes: 4 }

  async function readGrain(sector: number, number: number): Promise<Uint8Array<ArrayBuffer>> {
    const at = sector * SECTOR
    if (!isCompressed) return readExactly(file, at, grain)
    const marker = await read(at, 12)
    const length = marker.getUint32(8, true)
    if (Number(marker.getBigUint64(0, true)) !== (number * grain) / SECTOR || length > 2 * grain + 1024)
      throw damagedFile(`disk ${name} has a grain that is in the wrong place`)
    return inflated('deflate', await readExactly(file, at + 12, length), grain)
  }
  async function* pieces() {
    for await (const { first, end, view } of windowsOf(directory)) {
      for (let table = first; table < end; table++) {
        const at = view.getUint32((table - first) * 4, true)
        if (at === 0) continue
        yield { offset: table * perTable * grain, bytes: none }
        const entries = await read(at * SECTOR, perTable * 4)
        for (let entry = 0; entry < perTable; entry++) {
          const number = table * perTable + entry
          const offset = number * grain
          if (offset >= size) return
          const sector = entries.getUint32(entry * 4, true)
          // One stands for a grain of zeros.
          if (sector < 2) continue
          const bytes = await readGrain(sector, number)
          yield { offset, bytes: bytes.subarray(0, Math.min(grain, size - offset)) }
        }
      }
      yield { offset: Math.min(size, end * perTable * grain), bytes: none }
    }
  }
  return { size, pieces }
}

/** Decompresses to this many bytes, and never more. What follows the stream is padding. */
async function inflated(
  format: 'deflate' | 'deflate-raw',
  packed: Uint8Array<ArrayBuffer>,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  try {
    while (at < size) {
      const { done, value } = await reader.read()
      if (done) break
      if (at + value.length > size) throw new RangeError('more bytes than a part of the disk has')
      bytes.set(value, at)
      at += value.length
    }
  } catch {
    at = -1
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (at <= 0) throw damagedFile('a compressed part of a disk cannot be read')
  return bytes
}
