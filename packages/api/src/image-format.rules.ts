/** Formats that are converted to raw: disk images of other systems, and compressed files. */
export const packedFormats = ['qcow2', 'vmdk', 'vhdx', 'gzip', 'xz', 'zstd'] as const
export type PackedFormat = (typeof packedFormats)[number]

/** Formats of an uploaded file. */
export const imageFormats = ['raw', ...packedFormats] as const
export type ImageFormat = (typeof imageFormats)[number]

const compressions = ['gzip', 'xz', 'zstd'] as const
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
  /** Signatures: bytes at offsets; each list is one variant. */
  marks: readonly (readonly [offset: number, bytes: string])[]
  /** The command that creates a raw image. */
  toRaw: string
}

const convert = (driver: string, extension = driver): string =>
  `qemu-img convert -f ${driver} -O raw image.${extension} image.raw`

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
  zstd: { noun: 'a zstd file', marks: [[0, '\x28\xb5\x2f\xfd']], toRaw: 'unzstd image.raw.zst' },
  // The following are never converted.
  qcow: { noun: 'a qcow image of version 1', marks: [[0, 'QFI\xfb\0\0\0\x01']], toRaw: convert('qcow') },
  qed: { noun: 'a QED image', marks: [[0, 'QED\0']], toRaw: convert('qed') },
  vdi: { noun: 'a VDI image', marks: [[0x40, '\x7f\x10\xda\xbe']], toRaw: convert('vdi') },
  vhd: { noun: 'a VHD image', marks: [[0, 'conectix']], toRaw: convert('vpc', 'vhd') },
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
  bzip2: { noun: 'a bzip2 file', marks: [[4, '1AY&SY']], toRaw: 'bunzip2 image.raw.bz2' },
  zip: { noun: 'a zip archive', marks: [[0, 'PK\x03\x04']], toRaw: 'unzip image.zip' },
  seven_zip: { noun: 'a 7z archive', marks: [[0, '7z\xbc\xaf\x27\x1c']], toRaw: '7z x image.7z' },
  tar: { noun: 'a tar archive, such as an OVA', marks: [[257, 'ustar']], toRaw: 'tar -xf image.ova' },
} as const satisfies Readonly<Record<string, Kind>>

export type FileKind = 'raw' | keyof typeof kinds

/** The number of bytes at the start of a file that suffice to recognise it. */
export const headBytes = 512

/** The kind of a file, by its first bytes. Anything else is raw. */
export function recognise(head: Uint8Array): FileKind {
  const found = kindNames.find((kind) => kinds[kind].marks.some(([offset, mark]) => has(head, offset, mark)))
  return found ?? 'raw'
}

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]

const has = (head: Uint8Array, offset: number, mark: string): boolean =>
  String.fromCodePoint(...head.subarray(offset, offset + mark.length)) === mark

/** In sentences: `a qcow2 image`. */
export const nounOf = (kind: FileKind): string => (kind === 'raw' ? 'a raw image' : kinds[kind].noun)

/** How to create a raw image from a file that cannot be converted here. */
export const convertFirst = (kind: Exclude<FileKind, 'raw'>): string =>
  `Convert it to a raw image first: ${kinds[kind].toRaw}`
