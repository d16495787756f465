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
 * Images of VMware in one file: `monolithicSparse` and `streamOptimized` (VMware's "Virtual Disk Format 5.0"). The
 * header is followed by a descriptor, a text that names the files of the image: the file itself and no other.
 */

const SECTOR = 512
/** This offset of the table marks a stream, whose actual header is at its end. */
const AT_END = 2 ** 64
/** The footer between its marker and the end marker. */
const FOOTER_BYTES = 3 * SECTOR
const DESCRIPTOR_MAX_BYTES = 64 * 1024
/** Where QEMU looks for a parent, regardless of the descriptor in the header. */
const DESCRIPTOR_OF_QEMU = { offset: SECTOR, length: 20 * SECTOR } as const

const createTypes: ReadonlySet<string> = new Set(['monolithicSparse', 'streamOptimized'])
const NO_PARENT = 'ffffffff'

/** The size of its disk. */
export async function readVmdk(file: ImageFile): Promise<number> {
  const header = await sparseHeader(file, 0)
  const size = header.u64(12) * SECTOR
  if (size === 0) throw needsOtherFile('is a list of other files')
  if (header.u64(56) === AT_END) await refuseFooter(file, header)
  await refuseDescriptor(file, header)
  await refuseParent(file)
  return size
}

async function sparseHeader(file: ImageFile, offset: number): Promise<Fields> {
  const header = await readFields(file, offset, SECTOR, 'little endian')
  if (header.text(0, 4) !== 'KDMV') throw damaged('has no header at its end')
  if (header.u32(4) < 1 || header.u32(4) > 3) throw damaged('has an unknown version')
  const grainSectors = header.u64(20)
  if (!Number.isInteger(Math.log2(grainSectors)) || grainSectors > 2 ** 18)
    throw damaged('has grains of an impossible size')
  if (header.u32(44) < 1 || header.u32(44) > SECTOR) throw damaged('has tables of an impossible size')
  return header
}

/** The footer of a stream replaces the header: it must name the same disk. */
async function refuseFooter(file: ImageFile, header: Fields): Promise<void> {
  const footer = await sparseHeader(file, Math.max(0, file.size - FOOTER_BYTES + SECTOR))
  for (const at of [12, 20, 28, 36])
    if (footer.u64(at) !== header.u64(at)) throw damaged('says one thing at its start and another at its end')
  if (footer.u64(56) === AT_END) throw damaged('has no table')
}

async function refuseDescriptor(file: ImageFile, header: Fields): Promise<void> {
  const [offset, length] = [header.u64(28) * SECTOR, header.u64(36) * SECTOR]
  if (offset === 0 || length === 0) throw needsOtherFile('is one of several files of an image')
  if (length > DESCRIPTOR_MAX_BYTES) throw damaged('has a descriptor that is too long')
  const area = await readFields(file, offset, length, 'little endian')
  const descriptor = area.text(0, length).split('\0')[0] ?? ''
  if (descriptor.trim() === '') throw needsOtherFile('is one of several files of an image')
  const lines = descriptor.split(/\r?\n/)
  const valueOf = (key: string): string | undefined =>
    lines
      .map((line) => /^\s*([\w.]+)\s*=\s*"?([^"]*)"?\s*$/.exec(line))
      .find((found) => found?.[1]?.toLowerCase() === key.toLowerCase())?.[2]
  if (valueOf('encryption.keySafe') !== undefined || valueOf('encryption.data') !== undefined)
    throw encrypted()
  const type = valueOf('createType') ?? ''
  if (!createTypes.has(type)) throw unknownType(type)
  if (
    valueOf('parentFileNameHint') !== undefined ||
    (valueOf('parentCID') ?? NO_PARENT).toLowerCase() !== NO_PARENT
  )
    throw needsOtherFile('has a parent')
  const extents = lines.filter((line) => /^\s*(?:RW|RDONLY|NOACCESS)\s/i.test(line))
  if (extents.length !== 1 || !/^\s*RW\s+\d+\s+SPARSE\s/i.test(extents[0] ?? ''))
    throw needsOtherFile('is one of several files of an image')
}

const unknownType = (type: string): UnusableImage =>
  /^\w{1,40}$/.test(type)
    ? new UnusableImage(
        `is of the type ${type}`,
        'Make one file of it first: qemu-img convert -O vmdk image.vmdk whole.vmdk. Then upload whole.vmdk.',
      )
    : damaged('does not name its type')

/** QEMU reads a parent's name from there. */
async function refuseParent(file: ImageFile): Promise<void> {
  const { offset } = DESCRIPTOR_OF_QEMU
  const length = Math.min(DESCRIPTOR_OF_QEMU.length, file.size - offset)
  const area = await readFields(file, offset, length, 'little endian')
  if (area.text(0, length).includes('parentFileNameHint')) throw needsOtherFile('has a parent')
}
