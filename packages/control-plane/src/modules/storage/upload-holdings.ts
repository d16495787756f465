import { imageUploadCharge, imageUploadIdleHours } from '@gantry/api/storage/image-upload.rules'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { release } from '../silo/quota.ts'
import { removeContentLater } from './content-removal.ts'
import { forgetRanges } from './upload-ranges.ts'

type Upload = Row<'image_upload'>

export const idleMs = imageUploadIdleHours * 3600 * 1000
/** Uploads without activity since this time have expired. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - idleMs)

export interface Owned {
  upload: Upload
  silo_id: string
  scope: { silo_id: string; project_id: string }
}

export async function findOwned(cx: Cx, id: string): Promise<Owned | undefined> {
  const upload = await cx.db
    .selectFrom('image_upload')
    .selectAll()
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!upload) return undefined
  const { silo_id } = await cx.db
    .selectFrom('project')
    .select('silo_id')
    .where('id', '=', upload.project_id)
    .executeTakeFirstOrThrow()
  return { upload, silo_id, scope: { silo_id, project_id: upload.project_id } }
}

export const ownerOf = (
  silo_id: string,
  { project_id }: Upload,
): { silo_id: string; project_id: string } => ({
  silo_id,
  project_id,
})

/** What the image of an upload gets besides its bytes: where a fetched file is from, and the tags that were asked for. */
export const imageValuesOf = ({ source_url, sha256, image_tags }: Upload) => ({
  source_url,
  source_sha256: sha256,
  tags: image_tags,
})

/** The tags of the request, for the image that becomes of an upload. */
export const imageTagsOf = ({ request: { created_tags } }: Cx) => ({
  image_tags: created_tags ? JSON.stringify(created_tags.tags) : null,
})

/** Releases everything that an unfinished upload holds. */
export async function dropUpload(tx: Change, siloId: string, upload: Upload): Promise<void> {
  await giveBack(tx, siloId, upload)
  const { content_id, converted_content_id } = upload
  await removeContentLater(tx, content_id)
  if (converted_content_id) await removeContentLater(tx, converted_content_id)
}

/** Releases what an upload holds besides its bytes. */
export async function giveBack(tx: Change, siloId: string, upload: Upload): Promise<void> {
  await forgetRanges(tx, upload.id)
  await tx.plain.deleteFrom('image_import').where('upload_id', '=', upload.id).execute()
  await endInstanceImport(tx, upload.id)
  const storage = imageUploadCharge(upload.size) + (upload.converted_charge ?? 0)
  await release(tx, ownerOf(siloId, upload), { storage })
}

/** The copies of its disks that an instance was being made of, unless they are the bytes of its snapshots by now. */
export async function endInstanceImport(tx: Change, uploadId: string): Promise<void> {
  const gone = await tx.plain
    .deleteFrom('instance_import')
    .where('upload_id', '=', uploadId)
    .returning('disks')
    .executeTakeFirst()
  for (const { content_id } of gone?.disks ?? []) await removeContentLater(tx, content_id)
}

/** Releases what its conversion was charged. */
export async function releaseConverted(tx: Change, siloId: string, upload: Upload): Promise<void> {
  await release(tx, ownerOf(siloId, upload), { storage: upload.converted_charge ?? 0 })
}
