import { z } from 'zod'
import { type Change, change, type Scope } from '@gantry/control-plane/change/change'
import { defineJob, type Repeat, repeatIn } from '@gantry/control-plane/change/define-job'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { release } from '../../silo/quota.ts'
import { removeContentLater } from '../content-removal.ts'
import { bootFactsOf } from '../hardware/image-hardware.ts'
import { insertImage } from '../image-changes.ts'
import { findOwned, imageValuesOf } from '../upload-holdings.ts'

/** Until it checks for the end of the copy again: a tenth of the time since it began, so that long copies cost little. */
const waitMs = (cx: Cx, { time_created }: Place): number =>
  Math.min(30_000, Math.max(500, (cx.now().getTime() - time_created.getTime()) / 10))

const DiskImage = z.object({ upload_id: z.string(), snapshot_id: z.string() })

/**
 * Creates an image of a snapshot that was taken for it, once that is ready, and deletes the snapshot in the same change:
 * wherever a process ends, both are there, or the image alone. A cancelled one deletes the snapshot.
 */
export const diskImage = defineJob(
  'disk-image',
  DiskImage,
  async (cx, { upload_id, snapshot_id }): Promise<Repeat | undefined> => {
    const place = await placeOf(cx, snapshot_id)
    if (place?.state === 'creating') return repeatIn(waitMs(cx, place))
    const found = await findOwned(cx, upload_id)
    if (found?.upload.state !== 'copying') {
      if (place) await change(cx, place.scope, (tx) => dropSnapshot(tx, place.scope, snapshot_id))
      return undefined
    }
    if (!place)
      throw invalid('The snapshot was deleted before the image was created.', 'Create the image again.')
    if (place.state !== 'ready')
      throw invalid(
        `The disk could not be copied: ${place.failure?.message ?? 'the snapshot failed.'}`,
        place.failure?.next_step ?? 'Create the image again.',
      )
    await change(cx, found.scope, (tx) => finish(tx, found.scope, { upload_id, snapshot_id }))
    return undefined
  },
  {
    // Waiting counts as attempts.
    maxAttempts: Infinity,
    async gaveUp(cx, { upload_id, snapshot_id }, error) {
      const failure = JSON.stringify(failureOf(error, cx.now(), 'The image could not be created.'))
      const found = await findOwned(cx, upload_id)
      const scope = found?.scope ?? (await placeOf(cx, snapshot_id))?.scope
      if (!scope) return
      await change(cx, scope, async (tx) => {
        const upload = await tx.lockById('image_upload', upload_id).catch(ignoreNotFound)
        if (upload?.state === 'copying') await tx.update('image_upload', upload, { state: 'failed', failure })
        await dropSnapshot(tx, scope, snapshot_id)
      })
    },
  },
)

type InProject = Scope & { silo_id: string; project_id: string }
type Place = Pick<Row<'snapshot'>, 'state' | 'failure' | 'time_created'> & { scope: InProject }

/** A snapshot that still exists, and where. */
async function placeOf({ db }: Cx, id: string): Promise<Place | undefined> {
  const row = await db
    .selectFrom('snapshot')
    .innerJoin('project', 'project.id', 'snapshot.project_id')
    .select([
      'snapshot.state',
      'snapshot.failure',
      'snapshot.time_created',
      'project.silo_id',
      'project.id as project_id',
    ])
    .where('snapshot.id', '=', id)
    .where('snapshot.time_deleted', 'is', null)
    .executeTakeFirst()
  return row && { ...row, scope: { silo_id: row.silo_id, project_id: row.project_id } }
}

async function finish(tx: Change, scope: InProject, { upload_id, snapshot_id }: z.infer<typeof DiskImage>) {
  await tx.hold('project', scope.project_id)
  const snapshot = await tx.lockById('snapshot', snapshot_id).catch(ignoreNotFound)
  const upload = await tx.lockById('image_upload', upload_id).catch(ignoreNotFound)
  if (upload?.state !== 'copying') return
  // Another run of this job says why.
  if (!snapshot)
    throw invalid('The snapshot was deleted before the image was created.', 'Create the image again.')
  const { name, description, os, version } = upload
  const { block_size, size, content_id } = snapshot
  const facts = await bootFactsOf(tx.cx.services, snapshot)
  const { hardware } = snapshot
  const bytes = { block_size, size, content_id, ...facts, hardware }
  const values = { name, description, os, version, ...bytes, ...imageValuesOf(upload) }
  const image = await insertImage(tx, scope, values)
  await tx.update('image_upload', upload, { state: 'done', image_id: image.id })
  await tx.remove('snapshot', snapshot)
  await release(tx, scope, { storage: size })
}

/** Deletes it for good: no user asked for it. Nothing else refers to its bytes. */
async function dropSnapshot(tx: Change, scope: InProject, id: string): Promise<void> {
  const snapshot = await tx.lockById('snapshot', id).catch(ignoreNotFound)
  if (!snapshot || snapshot.state === 'creating') return
  await tx.remove('snapshot', snapshot)
  await release(tx, scope, { storage: snapshot.size })
  await removeContentLater(tx, snapshot.content_id)
}
