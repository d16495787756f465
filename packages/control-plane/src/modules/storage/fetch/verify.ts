import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { beginImage } from '../begin-image.ts'
import { outcomeOf } from '../upload-format.ts'
import type { Owned } from '../upload-holdings.ts'
import { forgetRanges } from '../upload-ranges.ts'

/** Compares a complete file with its checksum, and begins its image. */
export async function verify(cx: Cx, { upload: { id, content_id }, scope, silo_id }: Owned): Promise<void> {
  const sha256 = await cx.services.blocks.digest(content_id)
  if (sha256 === undefined) throw invalid('The file is too large for this server to verify.')
  const found = await cx.db.selectFrom('image_upload').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found || found.content_id !== content_id) return
  const { expected_sha256: expected } = found
  if (expected !== null && expected !== sha256) {
    // Another attempt fetches all of it again.
    await change(cx, scope, (tx) => forgetRanges(tx, id))
    throw invalid(
      `The SHA-256 of the file is ${sha256}, and ${expected} was given.`,
      'The file was damaged or replaced. Check where the checksum is from; try again, or cancel and give the right one.',
    )
  }
  const outcome = await outcomeOf(cx.services, found)
  await change(cx, scope, async (tx) => {
    const upload = await tx.lockById('image_upload', id).catch(ignoreNotFound)
    if (upload?.state !== 'fetching' || upload.content_id !== content_id) return
    await beginImage(tx, silo_id, upload, outcome, { sha256 })
  })
}
