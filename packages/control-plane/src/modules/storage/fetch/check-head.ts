import { nounOf, recognise } from '@gantry/api/storage/image-format.rules'
import { imageUploadSizeProblem } from '@gantry/api/storage/image-upload.rules'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import type { Row } from '@gantry/control-plane/db/tables'
import { convertible } from '../upload-format.ts'

/** What servers call pages, listings and error messages, and never images. */
const texts = /^(?:text\/|application\/(?:xhtml\+xml|xml|json|problem\+json|javascript))/
const page = /^\s*(?:<!doctype html|<html|<\?xml)/i

/**
 * Refuses a file by its first bytes, before the rest is fetched. What only its end or all of it shows is checked again once
 * it is complete.
 */
export async function checkHead(
  services: Services,
  { format, size, block_size }: Row<'image_upload'>,
  head: Uint8Array,
  contentType: string | undefined,
): Promise<void> {
  const read = async (offset: number, length: number) => head.subarray(offset, offset + length)
  const kind = await recognise({ size, read })
  if (kind !== 'raw' && format !== 'raw') {
    await convertible(services, kind)
    return
  }
  const isText = contentType !== undefined && texts.test(contentType)
  if (format !== 'raw' && (isText || page.test(String.fromCodePoint(...head.subarray(0, 100)))))
    throw invalid(
      `The address leads to ${isText ? `a text (${contentType})` : 'a web page'}, not to an image.`,
      'Open the address in a browser, and copy the one of the file itself.',
    )
  if (format !== null && format !== 'raw') return
  const problem = imageUploadSizeProblem(size, block_size)
  if (problem)
    throw invalid(
      `The file is ${nounOf('raw')} that cannot be used: ${problem.reason}.`,
      'Choose a block size that divides its size, or check that the address leads to an image.',
    )
}
