import type { Row } from '../../db/tables.ts'
import { change } from '../../kernel/change.ts'
import { type Cx, type Services, systemCx } from '../../kernel/cx.ts'
import { goneIsNothing } from '../../kernel/gone.ts'
import { failureOf, type JobKind } from '../../kernel/jobs.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import { insertImage } from './image-changes.ts'
import { dropUpload, giveBack, idleSince } from './image-uploads.ts'
import { createShown } from './shown.ts'
import { receivedOf } from './upload-ranges.ts'
import { writesEnded } from './writes.ts'

type Upload = Row<'image_upload'>
interface Owned {
  upload: Upload
  silo_id: string
  scope: { silo_id: string; project_id: string }
}

async function find(cx: Cx, id: string): Promise<Owned | undefined> {
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

/** Makes room for an upload's bytes; one that was cancelled meanwhile leaves nothing behind. */
export const uploadContent: JobKind = {
  maxAttempts: 30,
  async run(cx, args) {
    const { upload_id } = args as { upload_id: string }
    const found = await find(cx, upload_id)
    if (!found) return
    await createShown(cx.services, found.upload)
  },
}

/** Makes the image of an upload that has all its bytes, which become the image's. */
export const uploadCompletion: JobKind = {
  maxAttempts: 8,
  async run(cx, args) {
    const { upload_id } = args as { upload_id: string }
    const found = await find(cx, upload_id)
    if (found?.upload.state !== 'completing') return
    const { scope, silo_id } = found
    await writesEnded(cx.services)
    const digest = await cx.services.blocks.digest(found.upload.content_id)
    await change(cx, scope, async (tx) => {
      await tx.hold('project', scope.project_id)
      const upload = await tx.lock('image_upload', upload_id)
      if (upload.state !== 'completing') return
      const { name, description, os, version, block_size, size, content_id } = upload
      const values = { name, description, os, version, block_size, size, content_id, digest }
      const image = await insertImage(tx, scope, values)
      await tx.update('image_upload', upload, { state: 'done', image_id: image.id })
      await giveBack(tx, silo_id, upload)
    })
  },
  /** Another image took the name meanwhile, or the store failed: nothing that was sent is lost. */
  async gaveUp(cx, args, error) {
    const { upload_id } = args as { upload_id: string }
    const found = await find(cx, upload_id)
    if (!found) return
    await change(cx, found.scope, async (tx) => {
      const upload = await tx.lock('image_upload', upload_id)
      if (upload.state !== 'completing') return
      const failure = JSON.stringify(failureOf(error, cx.now()))
      await tx.update('image_upload', upload, { state: 'open', failure })
    })
  },
}

const batch = 64

/** Ends uploads that nothing comes to any more, and forgets those that ended a while ago. */
export const uploadUpkeep: Reconciler = {
  name: 'image-uploads',
  everyMs: 60_000,
  async run(services) {
    const before = idleSince(services.clock())
    const rows = await services.db
      .selectFrom('image_upload')
      .select('id')
      .where('time_deleted', 'is', null)
      .where('state', '<>', 'completing')
      .where('time_modified', '<', before)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('image_upload_range')
              .select('upload_id')
              .whereRef('upload_id', '=', 'image_upload.id')
              .where('time', '>=', before),
          ),
        ),
      )
      .limit(batch)
      .execute()
    await eachInTurn(services, 'image-uploads', rows, ({ id }) => endOrForget(services, id, before))
    return rows.length === batch ? 0 : undefined
  },
}

async function endOrForget(services: Services, id: string, before: Date): Promise<void> {
  const cx = systemCx(services, 'reconcile:image-uploads')
  const found = await find(cx, id)
  if (!found) return
  await change(cx, found.scope, async (tx) => {
    const upload = await tx.lock('image_upload', id).catch(goneIsNothing)
    if (!upload || upload.time_modified >= before) return
    if (upload.state === 'done' || upload.state === 'expired') return tx.remove('image_upload', upload)
    if (upload.state !== 'open') return
    // A piece may have come between the look and the lock.
    const { last } = (await receivedOf(tx.read, [id]))(id)
    if (last && last >= before) return
    await tx.update('image_upload', upload, { state: 'expired' })
    await dropUpload(tx, found.silo_id, upload)
  })
}
