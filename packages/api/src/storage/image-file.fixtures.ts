import type { ImageFile } from './image-header.rules.ts'

/*
 * Small image files for tests, with headers that programs accept. Sizes and offsets are in bytes unless named otherwise.
 */

const KiB64 = 64 * 1024

/** A file in memory that counts what is read of it. */
export function imageFileOf(bytes: Uint8Array): ImageFile & { reads: { count: number; bytes: number } } {
  const reads = { count: 0, bytes: 0 }
  return {
    reads,
    size: bytes.length,
    async read(offset, length) {
      reads.count++
      reads.bytes += length
      return bytes.slice(offset, offset + length)
    },
  }
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)
const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export interface Qcow2Options {
  size: number
  version?: number
  clusterBits?: number
  backingFile?: string
  encryption?: number
  /** Numbers of the incompatible features that are on. */
  features?: readonly number[]
  extensions?: readonly { type: number; data: string; length?: number }[]
  tableEntries?: number
  tableOffset?: number
  headerLength?: number
}

/** An image without data: every byte of its disk is zero. */
export function qcow2File(options: Qcow2Options): Uint8Array<ArrayBuffer> {
  const { size, version = 3, clusterBits = 16, backingFile, encryption = 0, features = [] } = options
  const clusterBytes = 2 ** clusterBits
  const entries = options.tableEntries ?? Math.max(1, Math.ceil(size / ((clusterBytes / 8) * clusterBytes)))
  const tableAt = options.tableOffset ?? 3 * clusterBytes
  const bytes = new Uint8Array(3 * clusterBytes + Math.ceil((entries * 8) / clusterBytes) * clusterBytes)
  const view = new DataView(bytes.buffer)
  bytes.set([0x51, 0x46, 0x49, 0xfb])
  view.setUint32(4, version)
  view.setUint32(20, clusterBits)
  view.setBigUint64(24, BigInt(size))
  view.setUint32(32, encryption)
  view.setUint32(36, entries)
  view.setBigUint64(40, BigInt(tableAt))
  // One block of reference counts, for the header, the table, the block and the table of the first level.
  view.setBigUint64(48, BigInt(clusterBytes))
  view.setUint32(56, 1)
  view.setBigUint64(clusterBytes, BigInt(2 * clusterBytes))
  for (let cluster = 0; cluster < bytes.length / clusterBytes; cluster++)
    view.setUint16(2 * clusterBytes + cluster * 2, 1)
  let at = 72
  if (version === 3) {
    for (const feature of features) view.setBigUint64(72, view.getBigUint64(72) | (1n << BigInt(feature)))
    view.setUint32(96, 4)
    at = options.headerLength ?? 104
    view.setUint32(100, at)
  }
  for (const { type, data, length } of options.extensions ?? []) {
    view.setUint32(at, type)
    view.setUint32(at + 4, length ?? data.length)
    bytes.set(ascii(data), at + 8)
    at += 8 + Math.ceil(data.length / 8) * 8
  }
  if (backingFile !== undefined) {
    at += 8
    view.setBigUint64(8, BigInt(at))
    view.setUint32(16, backingFile.length)
    bytes.set(ascii(backingFile), at)
  }
  return bytes
}

export interface VmdkOptions {
  size: number
  type?: string
  /** Lines of the descriptor instead of those of an image in one file. */
  descriptor?: readonly string[]
  /** Where the descriptor is, in sectors. */
  descriptorSector?: number
  footer?: 'equal' | 'of another disk' | 'missing'
}

const grainSectors = 128

/** An image in one file without data. */
export function vmdkFile(options: VmdkOptions): Uint8Array<ArrayBuffer> {
  const { size, type = 'monolithicSparse', descriptorSector = 1, footer } = options
  const sectors = size / 512
  const tables = Math.max(1, Math.ceil(sectors / (grainSectors * 512)))
  const descriptor = (
    options.descriptor ?? [
      '# Disk DescriptorFile',
      'version=1',
      'CID=12345678',
      'parentCID=ffffffff',
      `createType="${type}"`,
      `RW ${sectors} SPARSE "disk.vmdk"`,
      'ddb.adapterType = "ide"',
    ]
  ).join('\n')
  const directoryAt = 64
  const tablesAt = directoryAt + Math.ceil((tables * 4) / 512)
  const overHead = Math.ceil((tablesAt + tables * 4) / grainSectors) * grainSectors
  const bytes = new Uint8Array(overHead * 512 + (footer === undefined ? 0 : 3 * 512))
  const header = (at: number, disk: number, directory: bigint): void => {
    const view = new DataView(bytes.buffer, at)
    bytes.set(ascii('KDMV'), at)
    view.setUint32(4, footer === undefined ? 1 : 3, true)
    view.setUint32(8, footer === undefined ? 3 : 0x30001, true)
    view.setBigUint64(12, BigInt(disk), true)
    view.setBigUint64(20, BigInt(grainSectors), true)
    view.setBigUint64(28, BigInt(descriptorSector), true)
    view.setBigUint64(36, 20n, true)
    view.setUint32(44, 512, true)
    view.setBigUint64(48, footer === undefined ? BigInt(directoryAt) : 0n, true)
    view.setBigUint64(56, directory, true)
    view.setBigUint64(64, BigInt(overHead), true)
    bytes.set([0x0a, 0x20, 0x0d, 0x0a], at + 73)
    view.setUint16(77, footer === undefined ? 0 : 1, true)
  }
  header(0, sectors, footer === undefined ? BigInt(directoryAt) : 2n ** 64n - 1n)
  bytes.set(ascii(descriptor), descriptorSector * 512)
  const view = new DataView(bytes.buffer)
  for (let table = 0; table < tables; table++)
    view.setUint32(directoryAt * 512 + table * 4, tablesAt + table * 4, true)
  if (footer !== undefined && footer !== 'missing') {
    const marker = overHead * 512
    view.setBigUint64(marker, 1n, true)
    view.setUint32(marker + 12, 3, true)
    header(marker + 512, footer === 'equal' ? sectors : sectors + 8, BigInt(directoryAt))
  }
  return bytes
}

export interface VhdxOptions {
  size: number
  hasParent?: boolean
  parentLocator?: boolean
  /** The second table of regions names another place. */
  tablesDiffer?: boolean
  unknownRegion?: boolean
}

const guid = {
  metadata: '06a27c8b90479a4bb8fe575f050f886e',
  blockTable: '6677c22d23f600429d64115e9bfd4a08',
  parameters: '3767a1ca36fa434db3b633f0aa44e76b',
  diskSize: '2442a52f1bcd7648b2115dbed83bf4b8',
  sectorSize: '1dbf41816fa90947ba47f233a8faab5f',
  parentLocator: '2d5fd3a80bb34d45abf7d3d84834ab0c',
} as const

/** The parts of an image that say how large its disk is; not enough of it for programs that read the disk. */
export function vhdxFile(options: VhdxOptions): Uint8Array<ArrayBuffer> {
  const metadataAt = 2 * 1024 * 1024
  const bytes = new Uint8Array(metadataAt + 2 * KiB64)
  const view = new DataView(bytes.buffer)
  bytes.set(ascii('vhdxfile'))
  for (const [copy, tableAt] of [3 * KiB64, 4 * KiB64].entries()) {
    bytes.set(ascii('regi'), tableAt)
    const regions: [string, number][] = [
      [guid.blockTable, 3 * 1024 * 1024],
      [guid.metadata, metadataAt + (options.tablesDiffer ? copy * KiB64 : 0)],
      ...(options.unknownRegion ? [['ff'.repeat(16), 4 * 1024 * 1024] as [string, number]] : []),
    ]
    view.setUint32(tableAt + 8, regions.length, true)
    for (const [index, [id, offset]] of regions.entries()) {
      const at = tableAt + 16 + index * 32
      bytes.set(fromHex(id), at)
      view.setBigUint64(at + 16, BigInt(offset), true)
      view.setUint32(at + 24, 1024 * 1024, true)
      view.setUint32(at + 28, 1, true)
    }
  }
  const items: [string, (at: number) => void][] = [
    [
      guid.parameters,
      (at) => {
        view.setUint32(at, 1024 * 1024, true)
        view.setUint32(at + 4, options.hasParent ? 2 : 0, true)
      },
    ],
    [guid.diskSize, (at) => view.setBigUint64(at, BigInt(options.size), true)],
    [guid.sectorSize, (at) => view.setUint32(at, 512, true)],
    ...(options.parentLocator ? [[guid.parentLocator, () => {}] as [string, (at: number) => void]] : []),
  ]
  bytes.set(ascii('metadata'), metadataAt)
  view.setUint16(metadataAt + 10, items.length, true)
  for (const [index, [id, write]] of items.entries()) {
    const at = metadataAt + 32 + index * 32
    bytes.set(fromHex(id), at)
    view.setUint32(at + 16, KiB64 + index * 16, true)
    view.setUint32(at + 20, 8, true)
    write(metadataAt + KiB64 + index * 16)
  }
  return bytes
}

export interface VhdOptions {
  size: number
  type?: 'fixed' | 'dynamic' | 'differencing'
  /** The footer, or its copy at the beginning of a dynamic image. */
  without?: 'footer' | 'copy'
  /** The size that the copy names. */
  copySize?: number
}

/** An image without data: every byte of its disk is zero. */
export function vhdFile({ size, type = 'dynamic', without, copySize }: VhdOptions): Uint8Array<ArrayBuffer> {
  const isFixed = type === 'fixed'
  const bytes = new Uint8Array(isFixed ? size + 512 : 4096)
  const view = new DataView(bytes.buffer)
  const footer = (at: number, diskSize: number): void => {
    bytes.set(ascii('conectix'), at)
    view.setUint32(at + 12, 0x10000)
    view.setBigUint64(at + 16, isFixed ? 2n ** 64n - 1n : 512n)
    bytes.set(ascii('qem2'), at + 28)
    view.setBigUint64(at + 40, BigInt(diskSize))
    view.setBigUint64(at + 48, BigInt(diskSize))
    view.setUint32(at + 60, { fixed: 2, dynamic: 3, differencing: 4 }[type])
  }
  if (!isFixed && without !== 'copy') footer(0, copySize ?? size)
  if (without !== 'footer') footer(bytes.length - 512, size)
  return bytes
}

export interface VdiOptions {
  size: number
  /** 1 is dynamic, 2 fixed, 4 differencing. */
  type?: number
  hasParent?: boolean
  /** Blocks of 1 MiB that the header claims. */
  blocks?: number
}

/** A header and an empty table of blocks. */
export function vdiFile({ size, type = 1, hasParent, blocks = 0 }: VdiOptions): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4096)
  const view = new DataView(bytes.buffer)
  bytes.set(ascii('<<< a VirtualBox disk image >>>'))
  view.setUint32(0x40, 0xbeda107f, true)
  view.setUint32(0x44, 0x00010001, true)
  view.setUint32(0x48, 0x180, true)
  view.setUint32(0x4c, type, true)
  view.setUint32(0x154, 0x200, true)
  view.setUint32(0x158, 0x400, true)
  view.setUint32(0x168, 512, true)
  view.setBigUint64(0x170, BigInt(size), true)
  view.setUint32(0x178, 1024 * 1024, true)
  view.setUint32(0x180, Math.ceil(size / (1024 * 1024)), true)
  view.setUint32(0x184, blocks, true)
  if (hasParent) view.setUint32(0x1b8, 1, true)
  return bytes
}
