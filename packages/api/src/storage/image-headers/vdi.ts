import { damaged, type ImageFile, needsOtherFile, readFields } from './fields.ts'

/* Images of VirtualBox, of version 1.1. */

const HEADER_BYTES = 512
const types = { dynamic: 1, fixed: 2, differencing: 4 } as const
const noUuid = '0'.repeat(32)

/** The size of its disk. */
export async function readVdi(file: ImageFile): Promise<number> {
  const header = await readFields(file, 0, HEADER_BYTES, 'little endian')
  const type = header.u32(0x4c)
  const [link, parent] = [header.hex(0x1a8, 16), header.hex(0x1b8, 16)]
  if (type === types.differencing || link !== noUuid || parent !== noUuid)
    throw needsOtherFile('has a parent')
  if (type !== types.dynamic && type !== types.fixed) throw damaged('is of an unknown type')
  const data = header.u32(0x158) + header.u32(0x184) * (header.u32(0x178) + header.u32(0x17c))
  // Blocks beyond its end would read as zeros.
  if (data > file.size) throw damaged('ends before its last block')
  return header.u64(0x170)
}
