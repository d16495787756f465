import { shownBytes } from '@gantry/api/base/bytes.rules'
import { imageUploadCharge, imageUploadSizeProblem } from '@gantry/api/storage/image-upload.rules'
import type { Download } from '@gantry/control-plane/blocks/downloads'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { chargeLast, release } from '../../silo/quota.ts'
import { createContent } from '../content-references.ts'
import { removeContentLater } from '../content-removal.ts'
import { maxFetched } from '../upload-format.ts'
import { type Owned, ownerOf } from '../upload-holdings.ts'
import { forgetRanges } from '../upload-ranges.ts'

/**
 * Prepares the bytes of a file that the server has begun to send, and charges for them. From its beginning, what is there of
 * an earlier attempt is dropped: it may be of another file. Undefined if the upload is no longer wanted.
 */
export async function beginFile(cx: Cx, found: Owned, download: Download): Promise<Owned | undefined> {
  const { scope, silo_id } = found
  if (download.offset > 0) {
    if (download.size === found.upload.size) return found
    throw invalid('The file has changed on the server.', 'Cancel it, and begin again.')
  }
  const size = sizeOf(cx, download)
  const upload = await change(cx, scope, async (tx) => {
    await tx.hold('project', scope.project_id)
    const upload = await tx.lockById('image_upload', found.upload.id).catch(ignoreNotFound)
    if (upload?.state !== 'fetching') return undefined
    const isFirst = upload.size === 0
    await tx.plain
      .updateTable('image_import')
      .set({ validator: download.validator ?? null, ...(isFirst && { time_begun: cx.now() }) })
      .where('upload_id', '=', upload.id)
      .execute()
    const storage = imageUploadCharge(size) - imageUploadCharge(upload.size)
    const owner = ownerOf(silo_id, upload)
    if (storage > 0) chargeLast(tx, owner, { storage })
    if (storage < 0) await release(tx, owner, { storage: -storage })
    if (isFirst) return tx.update('image_upload', upload, { size }, { touch: false })
    await forgetRanges(tx, upload.id)
    await removeContentLater(tx, upload.content_id)
    return tx.update('image_upload', upload, { size, content_id: cx.newId() }, { touch: false })
  })
  if (!upload) return undefined
  await createContent(cx.services, upload)
  return { ...found, upload }
}

function sizeOf({ services }: Cx, { size }: Download): number {
  const otherwise = 'Download the file, then upload it.'
  if (size === undefined) throw invalid('The server does not say how large the file is.', otherwise)
  if (size === 0) throw invalid('The file is empty.', 'Check the address.')
  const max = maxFetched(services)
  if (size > max)
    throw invalid(
      `The file has ${shownBytes(size)}, and this server fetches files of at most ${shownBytes(max)}.`,
      'Use a smaller or compressed file, or ask the operator to raise the limit.',
    )
  // Whether it consists of whole blocks matters for raw files only, and is checked once that is known.
  const problem = imageUploadSizeProblem(size, 1)
  if (problem) throw invalid(`The file cannot be used as an image: ${problem.reason}.`)
  return size
}
