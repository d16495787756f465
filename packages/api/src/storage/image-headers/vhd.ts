import { damaged, type Fields, type ImageFile, needsOtherFile, readFields } from './fields.ts'

/*
 * Images of Virtual PC and Azure (Microsoft, Virtual Hard Disk Image Format). A footer ends each; a dynamic one begins
 * with a copy of it.
 */

const FOOTER_BYTES = 512
const mark = 'conectix'
const types = { fixed: 2, dynamic: 3, differencing: 4 } as const

/** The size of its disk, as its footer gives it; the geometry, which some programs use instead, may be smaller. */
export async function readVhd(file: ImageFile): Promise<number> {
  const end = file.size - FOOTER_BYTES
  if (end < 0) throw damaged('ends within its header')
  const footer = await readFields(file, end, FOOTER_BYTES, 'big endian')
  const first = await readFields(file, 0, FOOTER_BYTES, 'big endian')
  // Without its end, missing blocks would read as zeros.
  if (!isFooter(footer)) throw damaged('has no footer at its end')
  const type = footer.u32(60)
  if (type === types.differencing) throw needsOtherFile('has a parent')
  const size = footer.u64(48)
  if (type === types.fixed) {
    if (isFooter(first)) throw damaged('begins like another kind of VHD image than it ends')
    if (size !== end) throw damaged('does not have the size in its footer')
    return size
  }
  if (type !== types.dynamic) throw damaged('is of an unknown type')
  // A program may read either.
  if (!isFooter(first) || first.u32(60) !== type || first.u64(48) !== size)
    throw damaged('has a header that differs from its footer')
  return size
}

const isFooter = (fields: Fields): boolean => fields.text(0, mark.length) === mark
