import { exactBytes, MiB } from '@gantry/api/base/bytes.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { UpdateUpload, UpdateUploadCreate } from '@gantry/api/system/update'
import { updateUploadAllows, maxUpdateUploads } from '@gantry/api/system/update.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import { insufficient, invalid, invalidValue } from '../../context/refusal.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { createContent } from '../storage/content-references.ts'
import { uploadVerification } from './upload-jobs.ts'
import { generationKey } from '../../lookup/etag.ts'

export type Upload = Row<'update_upload'>

const view = (row: Upload): UpdateUpload => {
  const { id, time_created, file_name, size, state, received, system_version, already_existed, failure } = row
  const upload = { id, time_created: time_created.toISOString(), file_name, size, state, system_version }
  return {
    ...upload,
    bytes_received: received,
    already_existed,
    failure,
    [generationKey]: row.generation,
  } as UpdateUpload
}

/** All of them: their number is limited. Uploads in a single request cannot be resumed, and are not listed. */
export async function listUploads(cx: Cx): Promise<{ items: UpdateUpload[] }> {
  needFleet(cx, 'list_children')
  const rows = await cx.db
    .selectFrom('update_upload')
    .selectAll()
    .where('time_deleted', 'is', null)
    .where('is_stream', '=', false)
    .orderBy('time_created', 'desc')
    .orderBy('id')
    .execute()
  return { items: rows.map(view) }
}

export const viewUpload = async (cx: Cx, at: Selectors): Promise<UpdateUpload> =>
  view((await need(cx, 'update_upload', at, 'read')).row)

export async function createUpload(cx: Cx, { file_name, size }: UpdateUploadCreate): Promise<UpdateUpload> {
  needFleet(cx, 'modify')
  if (size === 0) throw invalidValue('size', 'an archive has at least one byte')
  return view(await beginUpload(cx, { file_name, size, is_stream: false }))
}

export const archiveMax = ({ services }: Pick<Cx, 'services'>): number =>
  services.settings.updates.repository_mebibytes * MiB

/** Reserves space for an archive before it accepts any bytes. */
export async function beginUpload(
  cx: Cx,
  values: Pick<Upload, 'file_name' | 'size' | 'is_stream'>,
): Promise<Upload> {
  const max = archiveMax(cx)
  if (values.size > max) throw invalidValue('size', `total size must be at most ${exactBytes(max)}`)
  await cx.services.blocks.needRoom(values.is_stream ? 0 : values.size).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
  // Deletes abandoned uploads first, to make room.
  cx.services.wake.uploads()
  const upload = await change(cx, fleetScope, async (tx) => {
    await refuseTooMany(tx)
    const time_received = cx.now()
    return tx.insert('update_upload', {
      ...values,
      time_received,
      state: 'open',
      content_id: cx.newId(),
      system_version: null,
      failure: null,
    })
  })
  await createContent(cx.services, upload)
  return upload
}

/** Serialises creation, so that the limit is exact. */
async function refuseTooMany(tx: Change): Promise<void> {
  await sql`LOCK TABLE update_upload IN SHARE ROW EXCLUSIVE MODE`.execute(tx.plain)
  const { rows } = await sql`SELECT 1 FROM update_upload WHERE time_deleted IS NULL
    AND state IN ('open', 'checking') OFFSET ${maxUpdateUploads - 1} LIMIT 1`.execute(tx.plain)
  if (rows.length > 0)
    throw insufficient(`there are already ${maxUpdateUploads} uploads of repositories`, {
      help: 'Finish or cancel one of them first.',
    })
}

/** Verification reads every byte, so a job does it. Idempotent. */
export async function completeUpload(cx: Cx, at: Selectors): Promise<UpdateUpload> {
  const { row } = await need(cx, 'update_upload', at, 'modify')
  const upload = await change(cx, fleetScope, async (tx) => {
    const upload = await tx.lock('update_upload', row)
    if (!allows(updateUploadAllows, 'complete', upload.state))
      throw invalid(`an upload in state ${upload.state} cannot be completed`, 'Upload the repository again.')
    if (upload.state !== 'open') return upload
    if (upload.received < upload.size)
      throw invalid(
        `${upload.size - upload.received} bytes have not been received`,
        'Send the missing bytes, then complete the upload.',
        { bytes_received: upload.received },
      )
    await tx.job(uploadVerification, { upload_id: upload.id })
    return tx.update('update_upload', upload, { state: 'checking', failure: null })
  })
  return view(upload)
}

export async function deleteUpload(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'update_upload', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const upload = await tx.lock('update_upload', row)
    if (!allows(updateUploadAllows, 'delete', upload.state))
      throw invalid(
        `an upload in state ${upload.state} cannot be deleted`,
        'Wait until it has been verified.',
      )
    await dropUpload(tx, upload)
  })
}

/** Removes an upload and its bytes, if it still has any. */
export async function dropUpload(tx: Change, upload: Upload): Promise<void> {
  await tx.remove('update_upload', upload)
  if (upload.state === 'open' || upload.state === 'checking') await removeContentLater(tx, upload.content_id)
}
