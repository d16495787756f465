import { z } from 'zod'
import { change } from '../../change/change.ts'
import { defineJob } from '../../change/define-job.ts'
import { retryMs, runLater } from '../../change/run-later.ts'
import { failureOf } from '../../work/jobs.ts'
import { bootFactsOf } from './hardware/image-hardware.ts'
import { insertImage } from './image-changes.ts'
import { createContent } from './content-references.ts'
import { findOwned, giveBack, imageValuesOf } from './upload-holdings.ts'
import { writesEnded } from './writes.ts'

const OfUpload = z.object({ upload_id: z.string() })

/** Allocates an upload's bytes; cleans up if the upload was cancelled meanwhile. */
export const uploadContent = defineJob(
  'image-upload-content',
  OfUpload,
  async (cx, { upload_id }) => {
    const found = await findOwned(cx, upload_id)
    if (!found) return
    await createContent(cx.services, found.upload)
  },
  {
    maxAttempts: 30,
    /** The upload waits for its bytes until it expires. */
    async gaveUp(cx, args) {
      if (await findOwned(cx, args.upload_id)) await runLater(cx, uploadContent, args, retryMs)
    },
  },
)

/** Creates the image of a complete upload, and hands the bytes over to it. */
export const uploadCompletion = defineJob(
  'image-upload-completion',
  OfUpload,
  async (cx, { upload_id }) => {
    const found = await findOwned(cx, upload_id)
    if (found?.upload.state !== 'completing') return
    const { scope, silo_id } = found
    await writesEnded(cx.services)
    const facts = await bootFactsOf(cx.services, found.upload)
    const digest = found.upload.sha256 ?? (await cx.services.blocks.digest(found.upload.content_id))
    await change(cx, scope, async (tx) => {
      await tx.hold('project', scope.project_id)
      const upload = await tx.lockById('image_upload', upload_id)
      if (upload.state !== 'completing') return
      const { name, description, os, version, block_size, size, content_id } = upload
      const values = {
        name,
        description,
        os,
        version,
        block_size,
        size,
        content_id,
        ...facts,
        digest,
        ...imageValuesOf(upload),
      }
      const image = await insertImage(tx, scope, values)
      await tx.update('image_upload', upload, { state: 'done', image_id: image.id })
      await giveBack(tx, silo_id, upload)
    })
  },
  {
    maxAttempts: 8,
    isLong: true,
    /** Another image took the name meanwhile, or the store failed: the uploaded bytes are kept. */
    async gaveUp(cx, { upload_id }, error) {
      const found = await findOwned(cx, upload_id)
      if (!found) return
      await change(cx, found.scope, async (tx) => {
        const upload = await tx.lockById('image_upload', upload_id)
        if (upload.state !== 'completing') return
        const failure = JSON.stringify(failureOf(error, cx.now(), 'The image could not be created.'))
        await tx.update('image_upload', upload, { state: 'open', failure })
      })
    },
  },
)
