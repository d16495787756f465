import { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { writesEnded } from '../storage/writes.ts'
import { verifyStored } from './stored-archive.ts'
import { recordRelease } from './repositories.ts'

/** Verifies an uploaded archive and adds its repository. A refused one keeps the reason, and loses its bytes. */
export const uploadVerification = defineJob(
  'update-upload-verification',
  z.object({ upload_id: z.string() }),
  async (cx, { upload_id }) => {
    const upload = await cx.db
      .selectFrom('update_upload')
      .selectAll()
      .where('id', '=', upload_id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (upload?.state !== 'checking') return
    await writesEnded(cx.services)
    const release = await verifyStored(cx, upload)
    await change(cx, fleetScope, async (tx) => {
      const last = await tx.lockById('update_upload', upload_id).catch(ignoreNotFound)
      if (last?.state !== 'checking') return
      const { file_name, size } = upload
      const { status } = await recordRelease(tx, release, { file_name, size })
      const already_existed = status === 'already_exists'
      await tx.update('update_upload', last, {
        state: 'done',
        system_version: release.system_version,
        already_existed,
      })
      await removeContentLater(tx, last.content_id)
    })
  },
  { maxAttempts: 5, isLong: true, gaveUp: (cx, { upload_id }, error) => fail(cx, upload_id, error) },
)

const fail = (cx: Cx, uploadId: string, error: Error): Promise<void> =>
  change(cx, fleetScope, async (tx) => {
    const upload: Row<'update_upload'> | undefined = await tx
      .lockById('update_upload', uploadId)
      .catch(ignoreNotFound)
    if (upload?.state !== 'checking') return
    const failure = JSON.stringify(failureOf(error, cx.now(), 'The repository could not be verified.'))
    await tx.update('update_upload', upload, { state: 'failed', failure })
    await removeContentLater(tx, upload.content_id)
  })
