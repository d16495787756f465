import type { ByteRange } from '@gantry/api/image-upload.rules'
import { Failure } from '../../../data/failure.ts'

/** Where the bytes come from: read piece by piece, so that a file of any size needs little memory. */
export interface Source {
  size: number
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>
}

export const sourceOf = (file: Blob): Source => ({
  size: file.size,
  async read({ offset, length }) {
    try {
      return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
    } catch {
      throw new Failure({
        message: 'The file cannot be read any more',
        errorCode: 'FileUnreadable',
        statusCode: 0,
        help: 'It was changed, moved or deleted since it was chosen. Choose it again.',
      })
    }
  },
})
