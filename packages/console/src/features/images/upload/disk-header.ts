import { type FileKind, isCompression, isPacked } from '@gantry/api/storage/image-format.rules'
import { type ImageFile, type ImageHeader, readImageHeader } from '@gantry/api/storage/image-header.rules'

/* Loaded when a disk image of another format is selected. */

/** Undefined unless the header of such a file says how large its disk is. */
export const diskHeader = async (kind: FileKind, file: ImageFile): Promise<ImageHeader | undefined> =>
  isPacked(kind) && !isCompression(kind) ? readImageHeader(kind, file) : undefined
