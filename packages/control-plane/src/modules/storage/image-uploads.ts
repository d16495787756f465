import type { ImageUpload, ImageUploadCreate } from '@gantry/api/storage/image-upload'
import {
  imageUploadAllows,
  imageUploadCharge,
  imageUploadSizeProblem,
  missingRanges,
} from '@gantry/api/storage/image-upload.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '../../db/tables.ts'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listInProject } from '../../list/page.ts'
import { invalid, invalidValue, Refusal } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { chargeLast } from '../silo/quota.ts'
import { beginImage, refuseTakenName } from './begin-image.ts'
import { fetchAgain, isToFetch } from './fetch/begin-fetch.ts'
import { outcomeOf } from './upload-format.ts'
import { dropUpload, idleMs, imageTagsOf } from './upload-holdings.ts'
import { uploadContent } from './upload-jobs.ts'
import { type Received, receivedOf } from './upload-ranges.ts'

type Upload = Row<'image_upload'>

function uploadView(row: Upload, { ranges, bytes, last }: Received): ImageUpload {
  const { project_id, os, version, block_size, size, state, image_id, failure } = row
  const { format, image_size, percent_converted, source_url, sha256, disk_id, purpose, instance_id } = row
  return resourceView(row, {
    project_id,
    os,
    version,
    block_size,
    size,
    state,
    received: ranges,
    bytes_received: bytes,
    format,
    image_size,
    percent_converted,
    source_url,
    sha256,
    disk_id,
    time_expires: new Date(
      Math.max(row.time_modified.getTime(), last?.getTime() ?? 0) + idleMs,
    ).toISOString(),
    image_id,
    purpose,
    instance_id,
    failure,
  })
}

export const viewOne = async (cx: Cx, row: Upload): Promise<ImageUpload> =>
  uploadView(row, (await receivedOf(cx.db, [row.id]))(row.id))

export async function viewUpload(cx: Cx, at: Selectors): Promise<ImageUpload> {
  return viewOne(cx, (await need(cx, 'image_upload', at, 'read')).row)
}

export async function listUploads(cx: Cx, query: ListQuery) {
  const { items, next_page } = await listInProject(cx, 'image_upload', query, (row) => row)
  const received = await receivedOf(
    cx.db,
    items.map(({ id }) => id),
  )
  return { items: items.map((row) => uploadView(row, received(row.id))), next_page }
}

/** The name of an upload that keeps its project from being deleted. */
export async function openUploadIn(db: Reader, projectId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('image_upload')
    .select('name')
    .where('project_id', '=', projectId)
    .where('time_deleted', 'is', null)
    .where('state', 'in', ['open', 'fetching', 'copying', 'converting', 'completing'])
    .limit(1)
    .executeTakeFirst()
  return row?.name
}

/** Begins an upload: its name among uploads, and its storage, are reserved until it ends. */
export async function createUpload(cx: Cx, at: Selectors, body: ImageUploadCreate): Promise<ImageUpload> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const purpose = body.purpose ?? 'image'
  // A file that an instance is made of may end anywhere.
  const format = purpose === 'image' ? (body.format ?? 'raw') : 'qcow2'
  const problem = imageUploadSizeProblem(body.size, body.block_size, format)
  if (problem) throw invalidValue(problem.label, problem.reason)
  const { upload, job } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    if (purpose === 'image') await refuseTakenName(tx.read, project.id, body.name)
    const upload = await tx.insert('image_upload', {
      ...body,
      ...imageTagsOf(cx),
      format: body.format ?? null,
      purpose,
      project_id: project.id,
      state: 'open',
      content_id: cx.newId(),
      image_id: null,
    })
    const owner = { silo_id: project.silo_id, project_id: project.id }
    chargeLast(tx, owner, { storage: imageUploadCharge(body.size) })
    return { upload, job: await tx.takeJob(await tx.job(uploadContent, { upload_id: upload.id })) }
  })
  await cx.services.runJob(job)
  // A new upload first makes room: abandoned ones are looked for at once.
  cx.services.wake.uploads()
  return viewOne(cx, upload)
}

/** Maximum number of missing ranges to report. */
const maxMissing = 100

/**
 * Queues the creation of the image, because the digest covers every byte, or the conversion of the file. Idempotent.
 */
export async function completeUpload(cx: Cx, at: Selectors): Promise<ImageUpload> {
  const found = await need(cx, 'image_upload', at, 'modify')
  const { row, scope } = found
  if (!allows(imageUploadAllows, 'complete', row.state))
    throw invalid(`an upload in state ${row.state} cannot be completed`, 'Upload the image again.')
  if (row.state !== 'open') return viewOne(cx, row)
  if (isToFetch(row)) return viewOne(cx, await fetchAgain(cx, found))
  if (row.purpose !== 'image')
    throw invalid('this file holds an instance', 'Create the instance from it instead.')
  refuseIncomplete((await receivedOf(cx.db, [row.id]))(row.id), row)
  const outcome = await outcomeOf(cx.services, row)
  const upload = await change(cx, scope, async (tx) => {
    const upload = await tx.lock('image_upload', row)
    if (upload.state !== 'open') return upload
    refuseIncomplete((await receivedOf(tx.read, [upload.id]))(upload.id), upload)
    return beginImage(tx, scope.silo_id ?? '', upload, outcome)
  })
  return viewOne(cx, upload)
}

export function refuseIncomplete({ ranges }: Received, { size }: Upload): void {
  const missing = missingRanges(ranges, size)
  if (missing.length > 0) throw incomplete(missing)
}

function incomplete(missing: { offset: number; length: number }[]): Refusal {
  const bytes = missing.reduce((sum, { length }) => sum + length, 0)
  const [{ offset, length } = { offset: 0, length: 0 }] = missing
  return new Refusal(
    'InvalidRequest',
    `${bytes} bytes have not been received, the first of them at offset ${offset} (${length} bytes)`,
    {
      help: 'Upload the missing bytes or declare them as zero, then complete the upload.',
      details: { bytes, ranges: missing.slice(0, maxMissing) },
    },
  )
}

/** Cancels an unfinished upload, or deletes an ended one. */
export async function deleteUpload(cx: Cx, at: Selectors): Promise<void> {
  const found = await need(cx, 'image_upload', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const upload = await tx.lock('image_upload', found.row)
    if (!allows(imageUploadAllows, 'delete', upload.state))
      throw invalid(
        `an upload in state ${upload.state} cannot be deleted`,
        'Wait until the image is created.',
      )
    await tx.remove('image_upload', upload)
    if (upload.state === 'open' || upload.state === 'fetching' || upload.state === 'converting')
      await dropUpload(tx, found.scope.silo_id ?? '', upload)
  })
}
