import { GiB, shownBytes } from '@gantry/api/base/bytes.rules'
import {
  convertFirst,
  type FileKind,
  type ImageFormat,
  isCompression,
  isPacked,
  nounOf,
  type PackedFormat,
  packedFormats,
  recognise,
} from '@gantry/api/storage/image-format.rules'
import { type ImageFile, readImageHeader } from '@gantry/api/storage/image-header.rules'
import type { ImageFormats } from '@gantry/api/storage/image-upload'
import type { Row } from '../../db/tables.ts'
import type { Services } from '../../context/services.ts'
import { invalid, type Refusal } from '../../context/refusal.ts'

/** How the bytes of an upload are processed. */
export type Outcome =
  | { format: 'raw' }
  /** The size of the image, unless the file must be unpacked first. */
  | { format: PackedFormat; imageSize: number | null }

export async function viewImageFormats(services: Services): Promise<ImageFormats> {
  const formats = packedFormats.map(async (format) => ({
    format,
    why_not: (await whyNotConverted(services, format)) ?? null,
  }))
  return {
    formats: await Promise.all(formats),
    max_size: maxImageSize(services),
    fetch: { why_not: services.downloads ? null : noDownloads, max_size: maxFetched(services) },
  }
}

export const maxImageSize = ({ settings }: Pick<Services, 'settings'>): number =>
  settings.image_conversion.max_gibibytes * GiB

export const noDownloads = 'This server fetches no files from URLs'

export const maxFetched = ({ settings }: Pick<Services, 'settings'>): number =>
  settings.image_import.max_gibibytes * GiB

const whyNotConverted = async (
  { imageConverter }: Services,
  format: PackedFormat,
): Promise<string | undefined> =>
  imageConverter ? imageConverter.whyNot(format) : 'This server does not convert images'

/**
 * Decides by the kind of the file, and refuses unusable ones, before anything is converted. A file declared raw keeps
 * its bytes, because a disk may hold anything.
 */
export async function outcomeOf(services: Services, upload: Row<'image_upload'>): Promise<Outcome> {
  const { format: declared } = upload
  if (declared === 'raw') return { format: 'raw' }
  const file = contentFile(services, upload)
  const kind = await recognise(file)
  if (declared !== null && kind !== declared) throw declaredWrongly(declared, kind)
  if (kind === 'raw') return { format: 'raw' }
  const format = await convertible(services, kind)
  return { format, imageSize: await imageSizeOf(services, format, file) }
}

/** The format of a file that is not raw; refuses one that this server makes no image of. */
export async function convertible(services: Services, kind: Exclude<FileKind, 'raw'>): Promise<PackedFormat> {
  if (!isPacked(kind)) throw notConverted(kind, `The file is ${nounOf(kind)}, which is not converted`)
  const whyNot = await whyNotConverted(services, kind)
  if (whyNot !== undefined) throw notConverted(kind, `The file is ${nounOf(kind)}. ${whyNot}`)
  return kind
}

const contentFile = ({ blocks }: Services, { content_id, size }: Row<'image_upload'>): ImageFile => ({
  size,
  read: (offset, length) => blocks.read(content_id, offset, length),
})

async function imageSizeOf(
  services: Services,
  format: PackedFormat,
  file: ImageFile,
): Promise<number | null> {
  if (isCompression(format)) return null
  const { size, problem } = await readImageHeader(format, file)
  if (problem) throw invalid(problem.message, problem.help)
  const maxSize = maxImageSize(services)
  if (size <= maxSize) return size
  throw invalid(
    `The file is ${nounOf(format)} of a disk of ${shownBytes(size)}, and this server converts images of at most ${shownBytes(maxSize)}.`,
    'Shrink the disk first, or ask the operator to raise the limit.',
  )
}

const declaredWrongly = (declared: ImageFormat, kind: FileKind): Refusal =>
  invalid(
    `The upload was declared as ${nounOf(declared)}, and the file is ${nounOf(kind)}.`,
    'Upload it again with its own format, or without a format.',
  )

const notConverted = (kind: Exclude<FileKind, 'raw'>, message: string): Refusal =>
  invalid(`${message}.`, `${convertFirst(kind)}. To keep its bytes as they are, upload it as a raw image.`)
