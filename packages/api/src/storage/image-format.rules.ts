/** Formats that are converted to raw: disk images of other systems, and compressed files. */
export const packedFormats = [
  'qcow2',
  'vmdk',
  'vhdx',
  'vhd',
  'vdi',
  'gzip',
  'xz',
  'lzma',
  'zstd',
  'lz4',
  'bzip2',
] as const
export type PackedFormat = (typeof packedFormats)[number]

/** Formats of an uploaded file. */
export const imageFormats = ['raw', ...packedFormats] as const
export type ImageFormat = (typeof imageFormats)[number]

const compressions = ['gzip', 'xz', 'lzma', 'zstd', 'lz4', 'bzip2'] as const
export type Compression = (typeof compressions)[number]
/** Formats whose header contains the size of the disk. */
export type DiskFormat = Exclude<PackedFormat, Compression>

export const isPacked = (kind: FileKind): kind is PackedFormat =>
  packedFormats.some((format) => format === kind)
export const isCompression = (kind: FileKind): kind is Compression =>
  compressions.some((format) => format === kind)

interface Kind {
  /** The noun with its article. */
  noun: string
  /** Signatures in the first bytes, at offsets; each list is one variant. */
  marks: readonly (readonly [offset: number, bytes: string])[]
  /** The command that creates a raw image. */
  toRaw: string
}

const convert = (driver: string, extension = driver): string =>
  `qemu-img convert -f ${driver} -O raw image.${extension} image.raw`

/** In the footer of a VHD image, of which a dynamic one has a copy at its beginning. */
const vhdMark = 'conectix'

/** All recognised kinds of files besides raw. A character of a mark is a byte. */
const kinds = {
  qcow2: {
    noun: 'a qcow2 image',
    marks: [
      [0, 'QFI\xfb\0\0\0\x02'],
      [0, 'QFI\xfb\0\0\0\x03'],
    ],
    toRaw: convert('qcow2'),
  },
  vmdk: { noun: 'a VMDK image', marks: [[0, 'KDMV']], toRaw: convert('vmdk') },
  vhdx: { noun: 'a VHDX image', marks: [[0, 'vhdxfile']], toRaw: convert('vhdx') },
  gzip: { noun: 'a gzip file', marks: [[0, '\x1f\x8b\x08']], toRaw: 'gunzip image.raw.gz' },
  xz: { noun: 'an xz file', marks: [[0, '\xfd7zXZ\0']], toRaw: 'unxz image.raw.xz' },
  // It has no mark (`isLzma`).
  lzma: { noun: 'an LZMA file', marks: [], toRaw: 'unlzma image.raw.lzma' },
  zstd: { noun: 'a zstd file', marks: [[0, '\x28\xb5\x2f\xfd']], toRaw: 'unzstd image.raw.zst' },
  lz4: {
    noun: 'an lz4 file',
    marks: [
      [0, '\x04\x22\x4d\x18'],
      [0, '\x02\x21\x4c\x18'],
    ],
    toRaw: 'unlz4 image.raw.lz4',
  },
  bzip2: { noun: 'a bzip2 file', marks: [[4, '1AY&SY']], toRaw: 'bunzip2 image.raw.bz2' },
  vhd: { noun: 'a VHD image', marks: [[0, vhdMark]], toRaw: convert('vpc', 'vhd') },
  vdi: { noun: 'a VDI image', marks: [[0x40, '\x7f\x10\xda\xbe']], toRaw: convert('vdi') },
  // The following are never converted.
  qcow: { noun: 'a qcow image of version 1', marks: [[0, 'QFI\xfb\0\0\0\x01']], toRaw: convert('qcow') },
  qed: { noun: 'a QED image', marks: [[0, 'QED\0']], toRaw: convert('qed') },
  parallels: {
    noun: 'a Parallels image',
    marks: [
      [0, 'WithoutFreeSpace'],
      [0, 'WithouFreSpacExt'],
    ],
    toRaw: convert('parallels', 'hdd'),
  },
  vmdk_of_files: {
    noun: 'a VMDK image in several files',
    marks: [
      [0, '# Disk Descriptor'],
      [0, 'COWD'],
    ],
    toRaw: convert('vmdk'),
  },
  zip: { noun: 'a zip archive', marks: [[0, 'PK\x03\x04']], toRaw: 'unzip image.zip' },
  seven_zip: { noun: 'a 7z archive', marks: [[0, '7z\xbc\xaf\x27\x1c']], toRaw: '7z x image.7z' },
  tar: { noun: 'a tar archive, such as an OVA', marks: [[257, 'ustar']], toRaw: 'tar -xf image.ova' },
} as const satisfies Readonly<Record<string, Kind>>

export type FileKind = 'raw' | keyof typeof kinds

/** The number of bytes at the start of a file, and at its end, that suffice to recognise it. */
const edgeBytes = 512
export const headBytes = edgeBytes

/** The kind of a file that is not available as a whole, by its first bytes. Anything else is raw. */
export function recogniseHead(head: Uint8Array): FileKind {
  const found = kindNames.find((kind) => kinds[kind].marks.some(([offset, mark]) => has(head, offset, mark)))
  return found ?? (isTar(head) ? 'tar' : isLzma(head) ? 'lzma' : 'raw')
}

/** The kind of a file; reads its beginning, its end, and what follows frames that decompressors skip. */
export async function recognise({ size, read }: Bytes): Promise<FileKind> {
  const head = await read(0, edgeBytes)
  const kind = isSkippable(head) ? await kindAfterSkippable({ size, read }) : recogniseHead(head)
  if (kind !== 'raw' || size <= edgeBytes) return kind
  return has(await read(size - edgeBytes, edgeBytes), 0, vhdMark) ? 'vhd' : 'raw'
}

interface Bytes {
  size: number
  /** Bytes from `offset`; fewer only at the end of the file. */
  read: (offset: number, length: number) => Promise<Uint8Array>
}

/** zstd and lz4 share the form of frames without data: four bytes, the length, and that many bytes. */
const isSkippable = (frame: Uint8Array): boolean =>
  ((frame[0] ?? 0) & 0xf0) === 0x50 && has(frame, 1, '\x2a\x4d\x18')
const skippableMax = 16

async function kindAfterSkippable({ size, read }: Bytes): Promise<FileKind> {
  let at = 0
  for (let frame = 0; frame < skippableMax && at < size; frame += 1) {
    const head = await read(at, 8)
    if (!isSkippable(head)) {
      const kind = recogniseHead(head)
      return kind === 'lz4' ? 'lz4' : 'zstd'
    }
    if (head.length < 8) break
    at += 8 + new DataView(head.buffer, head.byteOffset).getUint32(4, true)
  }
  return 'zstd'
}

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]

const has = (head: Uint8Array, offset: number, mark: string): boolean =>
  String.fromCodePoint(...head.subarray(offset, offset + mark.length)) === mark

/** Archives of the oldest form have no mark, but a checksum of their first header, as octal digits. */
function isTar(head: Uint8Array): boolean {
  if (head.length < edgeBytes || head[0] === 0) return false
  const digits = String.fromCodePoint(...head.subarray(148, 156)).match(/^ *([0-7]{4,7})[ \0]/)?.[1]
  if (digits === undefined) return false
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return Number.parseInt(digits, 8) === sum
}

const lzmaHeaderBytes = 14
const lzmaMaxBytes = 2 ** 38

/**
 * The format of `lzma` has no mark, but a header with little choice: properties, the size of the dictionary, the size of
 * the contents or none, and a first byte of zero. No other file begins like that, least of all a disk.
 */
function isLzma(head: Uint8Array): boolean {
  if (head.length < lzmaHeaderBytes) return false
  const view = new DataView(head.buffer, head.byteOffset)
  const properties = view.getUint8(0)
  const [literalBits, positionBits] = [properties % 9, Math.floor(properties / 9) % 5]
  if (properties >= 225 || literalBits + positionBits > 4) return false
  const dictionary = view.getUint32(1, true)
  const highest = 2 ** Math.floor(Math.log2(dictionary))
  if (dictionary < 4096 || (dictionary !== highest && dictionary !== highest * 1.5)) return false
  const size = view.getBigUint64(5, true)
  const isSize = size === 2n ** 64n - 1n || (size > 0n && size < lzmaMaxBytes)
  return isSize && view.getUint8(13) === 0
}

/** In sentences: `a qcow2 image`. */
export const nounOf = (kind: FileKind): string => (kind === 'raw' ? 'a raw image' : kinds[kind].noun)

/** How to create a raw image from a file that cannot be converted here. */
export const convertFirst = (kind: Exclude<FileKind, 'raw'>): string =>
  `Convert it to a raw image first: ${kinds[kind].toRaw}`
