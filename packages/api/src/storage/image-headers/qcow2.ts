import {
  damaged,
  encrypted,
  type Fields,
  type ImageFile,
  needsOtherFile,
  readFields,
  UnusableImage,
} from './fields.ts'

/*
 * The header of qcow2 images (QEMU's docs/interop/qcow2.txt). QEMU checks the references to clusters, which lead nowhere
 * but into the file itself.
 */

const V2_LENGTH = 72
const V3_LENGTH = 104
const TABLE_MAX_BYTES = 32 * 1024 * 1024
/** Extensions of real images need a few hundred bytes. */
const EXTENSIONS_MAX_BYTES = 64 * 1024

const incompatible = { dirty: 0, corrupt: 1, dataFile: 2, compressionType: 3, extendedL2: 4 } as const
const knownFeatures = Object.values(incompatible).length

const extension = { end: 0, dataFile: 0x44415441, encryption: 0x0537be77 } as const

/** The size of its disk. */
export async function readQcow2(file: ImageFile): Promise<number> {
  const header = await readFields(file, 0, V2_LENGTH, 'big endian')
  if (header.u64(8) !== 0 || header.u32(16) !== 0) throw needsOtherFile('has a backing file')
  if (header.u32(32) !== 0) throw encrypted()
  const clusterBits = header.u32(20)
  if (clusterBits < 9 || clusterBits > 21) throw damaged('has clusters of an impossible size')
  const version = header.u32(4)
  const features = version === 2 ? 0 : await featuresOf(file)
  const end = version === 2 ? V2_LENGTH : await headerLength(file, 2 ** clusterBits)
  await refuseExtensions(file, end, 2 ** clusterBits)
  const size = header.u64(24)
  refuseTable(
    header,
    { size, clusterBits, entryBytes: hasFeature(features, 'extendedL2') ? 16 : 8 },
    file.size,
  )
  return size
}

const hasFeature = (features: number, name: keyof typeof incompatible): boolean =>
  (features & (1 << incompatible[name])) !== 0

async function featuresOf(file: ImageFile): Promise<number> {
  const header = await readFields(file, V2_LENGTH, 8, 'big endian')
  const features = header.u32(4)
  if (header.u32(0) !== 0 || features >>> knownFeatures !== 0)
    throw new UnusableImage(
      'uses features that this server does not know',
      'Convert it to a plain image first: qemu-img convert -O qcow2 image.qcow2 plain.qcow2',
    )
  if (hasFeature(features, 'dataFile')) throw needsOtherFile('keeps its data in another file')
  if (hasFeature(features, 'corrupt'))
    throw new UnusableImage(
      'is marked as corrupt',
      'Repair it first: qemu-img check -r all image.qcow2. Then upload it again.',
    )
  return features
}

async function headerLength(file: ImageFile, clusterBytes: number): Promise<number> {
  const length = (await readFields(file, 100, 4, 'big endian')).u32(0)
  if (length < V3_LENGTH || length > clusterBytes || length % 8 !== 0)
    throw damaged('has a header of an impossible length')
  return length
}

/** Extensions follow the header, up to the end of the first cluster. */
async function refuseExtensions(file: ImageFile, start: number, clusterBytes: number): Promise<void> {
  const length = Math.min(clusterBytes, file.size, start + EXTENSIONS_MAX_BYTES) - start
  const area = await readFields(file, start, Math.max(0, length), 'big endian')
  for (let at = 0; at + 8 <= length;) {
    const type = area.u32(at)
    if (type === extension.end) return
    if (type === extension.dataFile) throw needsOtherFile('keeps its data in another file')
    if (type === extension.encryption) throw encrypted()
    at += 8 + Math.ceil(area.u32(at + 4) / 8) * 8
    if (at > length) throw damaged('has an extension of its header that does not end')
  }
}

interface Geometry {
  size: number
  clusterBits: number
  /** Bytes of an entry in a table of the second level. */
  entryBytes: number
}

/** The first-level table must cover the disk and lie within the file. */
function refuseTable(header: Fields, { size, clusterBits, entryBytes }: Geometry, fileSize: number): void {
  const entries = header.u32(36)
  const offset = header.u64(40)
  const clusterBytes = 2 ** clusterBits
  const coveredByEntry = (clusterBytes / entryBytes) * clusterBytes
  if (entries * 8 > TABLE_MAX_BYTES) throw damaged('has a table that is too large')
  if (entries < Math.ceil(size / coveredByEntry)) throw damaged('has a table that is too small for its disk')
  if (offset % clusterBytes !== 0 || offset + entries * 8 > fileSize)
    throw damaged('has a table beyond its end')
}
