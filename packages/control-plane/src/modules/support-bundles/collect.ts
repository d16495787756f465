import { MiB } from '@gantry/api/base/bytes.rules'
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { insufficient } from '../../context/refusal.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { createContent } from '../storage/content-references.ts'
import { writeBytes } from '../storage/write-bytes.ts'
import { type NewFile, zipOf } from './archive.ts'
import { bundleParts, manifestOf } from './parts.ts'

const OfBundle = z.object({ bundle_id: z.string() })
type Bundle = Row<'support_bundle'>

/**
 * Collects all files in memory and writes them at once. An attempt has bytes of its own: one that lost its
 * lease can never touch those of its successor.
 */
export const bundleCollection = defineJob(
  'support-bundle-collection',
  OfBundle,
  async (cx, { bundle_id }) => {
    const content_id = cx.newId()
    const begun = await whileCollecting(cx, bundle_id, undefined, { content_id, parts_done: 0 })
    if (!begun) return
    const files: NewFile[] = []
    for (const [index, { path, collect }] of bundleParts.entries()) {
      files.push({ path, bytes: new TextEncoder().encode(await collect(cx)) })
      refuseTooLarge(cx, files)
      if (!(await whileCollecting(cx, bundle_id, content_id, { parts_done: index + 1 }))) return
    }
    const paths = files.map(({ path }) => path)
    files.unshift({ path: 'manifest.json', bytes: new TextEncoder().encode(manifestOf(begun, paths)) })
    const archive = await zipOf(files, begun.time_created)
    await createContent(cx.services, { content_id, size: archive.bytes.length })
    await writeBytes(cx.services, cx.services.blocks, content_id, 0, archive.bytes)
    const done = await whileCollecting(cx, bundle_id, content_id, {
      state: 'active',
      size: archive.bytes.length,
      files: JSON.stringify(archive.files),
    })
    if (!done) await cx.services.blocks.remove(content_id)
  },
  {
    maxAttempts: 5,
    async gaveUp(cx, { bundle_id }, error) {
      const reason_for_failure = failureOf(
        error,
        cx.now(),
        'The support bundle could not be collected.',
      ).message
      await whileCollecting(cx, bundle_id, undefined, {
        state: 'failed',
        reason_for_failure,
        content_id: null,
      })
    },
  },
)

/**
 * Changes a bundle that is still being collected, by this attempt if one is named. Undefined if it is not:
 * it was deleted, or another attempt has taken over.
 */
const whileCollecting = (
  cx: Cx,
  id: string,
  attempt: string | undefined,
  patch: Partial<Pick<Bundle, 'state' | 'size' | 'parts_done' | 'content_id' | 'reason_for_failure'>> & {
    files?: string
  },
): Promise<Bundle | undefined> =>
  change(cx, fleetScope, async (tx) => {
    const bundle = await tx.lockById('support_bundle', id).catch(ignoreNotFound)
    if (bundle?.state !== 'collecting') return undefined
    if (attempt !== undefined && bundle.content_id !== attempt) return undefined
    const isReplaced = patch.content_id !== undefined && bundle.content_id !== null
    if (isReplaced && bundle.content_id) await removeContentLater(tx, bundle.content_id)
    return tx.update('support_bundle', bundle, patch, { touch: false })
  })

function refuseTooLarge(cx: Cx, files: readonly NewFile[]): void {
  const { mebibytes } = cx.services.settings.support_bundles
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > mebibytes * MiB)
    throw insufficient(`a support bundle has at most ${mebibytes} MiB`, {
      help: 'Ask the operator to raise the setting support_bundles.mebibytes.',
    })
}

/** Frees the storage of a bundle, and lets it disappear. */
export const bundleRemoval = defineJob(
  'support-bundle-removal',
  OfBundle,
  async (cx, { bundle_id }) => {
    const bundle = await cx.db
      .selectFrom('support_bundle')
      .selectAll()
      .where('id', '=', bundle_id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (bundle?.state !== 'destroying') return
    if (bundle.content_id) await cx.services.blocks.remove(bundle.content_id)
    await change(cx, fleetScope, async (tx) => {
      const last = await tx.lockById('support_bundle', bundle_id).catch(ignoreNotFound)
      if (last) await tx.remove('support_bundle', last)
    })
  },
  { maxAttempts: Infinity },
)
