import { imageUploadCharge } from '@gantry/api/storage/image-upload.rules'
import type { Change } from '../../change/change.ts'
import { alreadyExists } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { chargeLast } from '../silo/quota.ts'
import { uploadConversion } from './upload-conversion.ts'
import type { Outcome } from './upload-format.ts'
import { ownerOf } from './upload-holdings.ts'
import { uploadCompletion } from './upload-jobs.ts'

type Upload = Row<'image_upload'>

export async function refuseTakenName(db: Reader, projectId: string, name: string): Promise<void> {
  const image = await db
    .selectFrom('image')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (image) throw alreadyExists('project-image', name)
}

/** Queues what makes an image of the bytes of an upload. */
export async function beginImage(
  tx: Change,
  siloId: string,
  upload: Upload,
  outcome: Outcome,
  more: { sha256?: string } = {},
): Promise<Upload> {
  const { format } = outcome
  if (format === 'raw') {
    await tx.job(uploadCompletion, { upload_id: upload.id })
    return tx.update('image_upload', upload, { state: 'completing', failure: null, format, ...more })
  }
  const { imageSize } = outcome
  const converted_content_id = tx.cx.newId()
  const converted_charge = imageUploadCharge(imageSize ?? 0)
  chargeLast(tx, ownerOf(siloId, upload), { storage: converted_charge })
  await tx.job(uploadConversion, { upload_id: upload.id, content_id: converted_content_id })
  return tx.update('image_upload', upload, {
    ...more,
    state: 'converting',
    failure: null,
    format,
    image_size: imageSize,
    converted_content_id,
    converted_charge,
  })
}
