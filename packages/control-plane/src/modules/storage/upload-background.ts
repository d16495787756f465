import { change } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { eachInTurn, type Reconciler } from '../../work/loop.ts'
import { dropUpload, findOwned, idleSince } from './upload-holdings.ts'
import { receivedOf } from './upload-ranges.ts'

const batch = 64

/** Expires idle uploads, and deletes those that ended a while ago. */
export const uploadUpkeep: Reconciler = {
  name: 'image-uploads',
  everyMs: 60_000,
  async run(services) {
    const before = idleSince(services.clock())
    // Processes all of them in batches: those that fail wait for the next run and must not block the others.
    for (let after: string | undefined; ;) {
      const rows = await idleUploads(services, before, after)
      await eachInTurn(services, 'image-uploads', rows, ({ id }) => endOrForget(services, id, before))
      after = rows.at(-1)?.id
      if (rows.length < batch) return
    }
  },
}

function idleUploads({ db }: Services, before: Date, after: string | undefined) {
  const rows = db
    .selectFrom('image_upload')
    .select('id')
    .where('time_deleted', 'is', null)
    .where('state', 'not in', ['fetching', 'copying', 'converting', 'completing'])
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
    .orderBy('id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('id', '>', after)).execute()
}

async function endOrForget(services: Services, id: string, before: Date): Promise<void> {
  const cx = systemCx(services, 'reconcile:image-uploads')
  const found = await findOwned(cx, id)
  if (!found) return
  await change(cx, found.scope, async (tx) => {
    const upload = await tx.lockById('image_upload', id).catch(ignoreNotFound)
    if (!upload || upload.time_modified >= before) return
    if (upload.state === 'done' || upload.state === 'failed' || upload.state === 'expired')
      return tx.remove('image_upload', upload)
    if (upload.state !== 'open') return
    // A piece may have arrived between the check and the lock.
    const { last } = (await receivedOf(tx.read, [id]))(id)
    if (last && last >= before) return
    await tx.update('image_upload', upload, { state: 'expired' })
    await dropUpload(tx, found.silo_id, upload)
  })
}
