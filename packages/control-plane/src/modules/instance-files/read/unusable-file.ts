import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { ImageFile } from '@gantry/api/storage/image-header.rules'
import { invalid, type Refusal } from '@gantry/control-plane/context/refusal'

export type { ImageFile }

/** A file that no instance can be made of, as a sentence with the next step. */
export const unusable = (message: string, help: string): Refusal => invalid(message, help)

export const damagedFile = (what: string): Refusal =>
  unusable(`The file is damaged: ${what}.`, 'Export it again, or get it again, then upload it again.')

/** Reads exactly this many bytes. */
export async function readExactly(
  file: ImageFile,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = length < 0 || offset + length > file.size ? undefined : await file.read(offset, length)
  if (bytes?.length !== length) throw damagedFile('it ends too early')
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, length)
}

/** A part of a file as a file of its own. */
export const partOf = (file: ImageFile, offset: number, size: number): ImageFile => ({
  size,
  read: (at, length) => file.read(offset + at, Math.max(0, Math.min(length, size - at))),
})

export const tooManyDisks = (count: number): Refusal =>
  unusable(
    `The instance has ${count} disks, and an instance has at most ${instanceLimits.disks}.`,
    'Export it again with fewer disks.',
  )
