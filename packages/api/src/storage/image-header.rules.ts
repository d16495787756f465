import { shownBytes } from '../base/bytes.rules.ts'
import { diskMaxSize } from './disk.rules.ts'
import { type DiskFormat, nounOf } from './image-format.rules.ts'
import { damaged, type ImageFile, UnusableImage } from './image-headers/fields.ts'
import { readQcow2 } from './image-headers/qcow2.ts'
import { readVdi } from './image-headers/vdi.ts'
import { readVhd } from './image-headers/vhd.ts'
import { readVhdx } from './image-headers/vhdx.ts'
import { readVmdk } from './image-headers/vmdk.ts'

export type { ImageFile }

/** The size of the disk in an image, or why the image is unusable, with the next step. */
export type ImageHeader = { size: number; problem?: never } | { problem: ImageProblem; size?: never }
export interface ImageProblem {
  message: string
  help: string
}

const readers = {
  qcow2: readQcow2,
  vmdk: readVmdk,
  vhdx: readVhdx,
  vhd: readVhd,
  vdi: readVdi,
} as const satisfies Record<DiskFormat, (file: ImageFile) => Promise<number>>

/**
 * Reads the header of an image, which may be hostile: a few kilobytes, whatever their contents. Refuses an image that
 * needs another file (a backing file, a data file, a parent, a separate extent), because a program that follows the
 * name would read a file of the host, and an encrypted image.
 */
export async function readImageHeader(format: DiskFormat, file: ImageFile): Promise<ImageHeader> {
  try {
    return sizeOf(await readers[format](file), format)
  } catch (error) {
    if (!(error instanceof UnusableImage)) throw error
    return { problem: { message: `The file is ${nounOf(format)} that ${error.message}.`, help: error.help } }
  }
}

function sizeOf(size: number, format: DiskFormat): ImageHeader {
  if (size === 0) throw damaged('names a disk without bytes')
  if (size <= diskMaxSize) return { size }
  return {
    problem: {
      message: `The file is ${nounOf(format)} of a disk of ${shownBytes(size)}, and an image has at most ${shownBytes(diskMaxSize)}.`,
      help: 'Shrink the disk first, and upload it again.',
    },
  }
}
