import type { ByteRange } from '@gantry/api/image-upload.rules'
import { Failure } from '#/data/failure.ts'

/** Where the bytes come from: read piece by piece, so that a file of any size needs little memory. */
export interface Source {
  size: number
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>
  /** Gives what was read back, to be read into again: left to the collector, hundreds of pieces would pile up. */
  release: (bytes: Uint8Array<ArrayBuffer>) => void
  /** A part that is not read before it is sent. */
  part: (range: ByteRange) => Blob
}

export function sourceOf(file: Blob): Source {
  const spare: ArrayBuffer[] = []
  const part = ({ offset, length }: ByteRange) => file.slice(offset, offset + length)
  return {
    size: file.size,
    part,
    async read(range) {
      try {
        const buffer = spare.pop()
        return await readInto(
          buffer && buffer.byteLength >= range.length ? buffer : range.length,
          part(range),
        )
      } catch {
        throw new Failure({
          message: 'The file can no longer be read',
          errorCode: 'FileUnreadable',
          statusCode: 0,
          help: 'It was changed, moved or deleted since it was chosen. Choose it again.',
        })
      }
    },
    release: ({ buffer }) => void spare.push(buffer),
  }
}

/** Into memory that is there, or so much of it, where the browser can do that. */
async function readInto(memory: ArrayBuffer | number, blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const reader = byteReader(blob)
  if (!reader) return new Uint8Array(await blob.arrayBuffer())
  let buffer = typeof memory === 'number' ? new ArrayBuffer(memory) : memory
  for (let at = 0; at < blob.size;) {
    const { value } = await reader.read(new Uint8Array(buffer, at, blob.size - at))
    if (!value?.length) throw new Error('the file ended early')
    buffer = value.buffer
    at += value.length
  }
  return new Uint8Array(buffer, 0, blob.size)
}

/** Undefined in browsers whose files are no byte streams. */
function byteReader(blob: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return blob.stream().getReader({ mode: 'byob' })
  } catch {
    return undefined
  }
}
