import { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'

/**
 * An image's digest covers all its bytes, including holes. It is computed after the image is created, which
 * is usable without it; an image too large for this store never gets one.
 */
export const makeDigestLater = (tx: Change, image: Row<'image'>): Promise<string> =>
  tx.job(imageDigest, { image_id: image.id })

export const imageDigest = defineJob(
  'image-digest',
  z.object({ image_id: z.string() }),
  async (cx, { image_id }) => {
    const image = await liveImage(cx, image_id)
    if (!image || image.digest) return
    const value = await cx.services.blocks.digest(image.content_id).catch(async (error: unknown) => {
      // The bytes were removed together with the image.
      if (await liveImage(cx, image_id)) throw error
    })
    if (value === undefined) return
    await change(cx, { silo_id: image.silo_id, project_id: image.project_id }, async (tx) => {
      const now = await tx.lockById('image', image_id).catch(ignoreNotFound)
      // A run whose lease ended continues beside the next one, and the first to arrive answers for both.
      if (!now || now.digest) return
      tx.at({ silo_id: now.silo_id, project_id: now.project_id })
      const digest = JSON.stringify({ type: 'sha256', value })
      await tx.update('image', now, { digest }, { touch: false })
    })
  },
  { maxAttempts: 8, isLong: true },
)

const liveImage = (cx: Cx, id: string): Promise<Row<'image'> | undefined> =>
  cx.db
    .selectFrom('image')
    .selectAll()
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
