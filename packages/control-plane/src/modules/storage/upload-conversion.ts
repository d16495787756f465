import { imageUploadCharge } from '@gantry/api/storage/image-upload.rules'
import { z } from 'zod'
import { ConversionDiscarded, UnusableImageFile } from '../../blocks/image-converter.ts'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { repeatIn, type Repeat, defineJob } from '../../change/define-job.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import { chargeLast } from '../silo/quota.ts'
import { bootFactsOf } from './hardware/image-hardware.ts'
import { insertImage } from './image-changes.ts'
import { isReferenced } from './content-references.ts'
import { maxImageSize } from './upload-format.ts'
import {
  findOwned,
  giveBack,
  type Owned,
  ownerOf,
  releaseConverted,
  imageValuesOf,
} from './upload-holdings.ts'
import { removeContentLater } from './content-removal.ts'
import { writesEnded } from './writes.ts'
import { onceEach } from '../../context/once-each.ts'
import type { Services } from '../../context/services.ts'

type Upload = Row<'image_upload'>

/** How often a waiting conversion checks for its turn. */
const waitMs = 1000
/** How often progress is stored, and a cancelled upload noticed. */
const beatMs = 1000

/**
 * Converts an upload to a new object, and creates its image. A failed conversion is not retried automatically, because
 * it may take hours: only waiting and an unavailable database use up attempts.
 */
export const uploadConversion = defineJob(
  'image-upload-conversion',
  z.object({ upload_id: z.string(), content_id: z.string() }),
  async (cx, { upload_id, content_id }) => {
    const found = await findOwned(cx, upload_id)
    if (found && isFor(found.upload, content_id)) {
      const later = await inTurn(cx, content_id, async () => {
        const again = await convert(cx, found, content_id)
        if (!again) await finish(cx, found, content_id)
        return again
      })
      if (later) return later
    }
    await clearUp(cx, content_id)
    return undefined
  },
  {
    // Waiting for a turn counts as attempts.
    maxAttempts: Infinity,
    isLong: true,
    /** The uploaded bytes are kept. */
    async gaveUp(cx, { upload_id, content_id }, error) {
      const found = await findOwned(cx, upload_id)
      if (found) {
        await changeConverting(cx, found, content_id, async (tx, upload) => {
          await releaseConverted(tx, found.silo_id, upload)
          const failure = JSON.stringify(failureOf(error, cx.now(), 'The conversion failed on the server.'))
          await tx.update('image_upload', upload, { state: 'open', failure, ...unconverted })
        })
      }
      await clearUp(cx, content_id)
    },
  },
)

const unconverted = {
  converted_content_id: null,
  converted_charge: null,
  image_size: null,
  percent_converted: null,
} as const

const isFor = ({ state, converted_content_id }: Upload, contentId: string): boolean =>
  state === 'converting' && converted_content_id === contentId

/** Objects that images are being converted to in this process. */
const conversionsOf = onceEach((_services: Services) => new Set<string>())

/** Only a few conversions run concurrently; the others wait without occupying a job slot. */
async function inTurn(
  { services }: Cx,
  contentId: string,
  work: () => Promise<Repeat | undefined>,
): Promise<Repeat | undefined> {
  const conversions = conversionsOf(services)
  if (conversions.has(contentId) || conversions.size >= services.settings.image_conversion.at_once)
    return repeatIn(waitMs)
  conversions.add(contentId)
  try {
    return await work()
  } finally {
    conversions.delete(contentId)
  }
}

/** Creates the object, unless the upload is cancelled or the process ends. */
async function convert(cx: Cx, { upload, scope, silo_id }: Owned, to: string): Promise<Repeat | undefined> {
  const { imageConverter, blocks, ending } = cx.services
  if ((await blocks.size(to)) !== undefined) return undefined
  const { format } = upload
  if (!imageConverter || format === null || format === 'raw')
    throw invalid('This server does not convert images.', 'Ask the operator to install the tools for it.')
  await writesEnded(cx.services)
  const cancelled = new AbortController()
  let percent = 0
  let storing: Promise<void> | undefined
  const beat = setInterval(() => {
    // One at a time, also while the database is slow.
    storing ??= storeProgress(cx, upload.id, to, percent).then((isWanted) => {
      storing = undefined
      if (!isWanted) cancelled.abort()
    })
  }, beatMs)
  try {
    await imageConverter.convert({
      from: upload.content_id,
      to,
      format,
      blockSize: upload.block_size,
      maxBytes: maxImageSize(cx.services),
      reserve: (bytes) => reserve(cx, { upload, scope, silo_id }, to, imageUploadCharge(bytes)),
      progress: (next) => {
        percent = next
      },
      signal: AbortSignal.any([cancelled.signal, ending]),
    })
  } catch (error) {
    if (ending.aborted) return repeatIn(0)
    if (!cancelled.signal.aborted && !(error instanceof ConversionDiscarded)) throw refusalOf(cx, error)
  } finally {
    clearInterval(beat)
  }
  return undefined
}

/** Whether the conversion is still wanted; assumed while the database is unavailable. */
async function storeProgress(
  { services: { db } }: Cx,
  uploadId: string,
  to: string,
  percent: number,
): Promise<boolean> {
  const updated = await db
    .updateTable('image_upload')
    .set({ percent_converted: Math.min(100, Math.max(0, Math.floor(percent))) })
    .where('id', '=', uploadId)
    .where('converted_content_id', '=', to)
    .where('state', '=', 'converting')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
    .catch(() => undefined)
  return updated === undefined || updated.numUpdatedRows > 0n
}

/** Charges the amount beyond what the conversion was already charged. */
async function reserve(cx: Cx, found: Owned, to: string, storage: number): Promise<void> {
  if (storage <= (found.upload.converted_charge ?? 0)) return
  const isWanted = await changeConverting(cx, found, to, async (tx, upload) => {
    const more = storage - (upload.converted_charge ?? 0)
    if (more <= 0) return
    chargeLast(tx, ownerOf(found.silo_id, upload), { storage: more })
    await tx.update('image_upload', upload, { converted_charge: storage }, { touch: false })
  })
  if (!isWanted) throw new ConversionDiscarded('the upload was cancelled')
}

/** Changes the upload if it is still being converted to this object; returns whether it is. */
async function changeConverting(
  cx: Cx,
  { upload: { id }, scope }: Owned,
  contentId: string,
  work: (tx: Change, upload: Upload) => Promise<void>,
): Promise<boolean> {
  return change(cx, scope, async (tx) => {
    const upload = await tx.lockById('image_upload', id).catch(ignoreNotFound)
    if (!upload || !isFor(upload, contentId)) return false
    await work(tx, upload)
    return true
  })
}

/** A refusal ends the attempts. */
function refusalOf(cx: Cx, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof UnusableImageFile) return invalid(error.message, error.help)
  const full = fullRefusal(error)
  if (full) return full
  cx.services.log.error({ err: error }, 'an image could not be converted')
  return new Refusal('Internal', 'The conversion failed on the server.', {
    help: 'Complete the upload to try again. If it keeps failing, contact the operator.',
  })
}

/** Creates the image of the object, if that exists. */
async function finish(cx: Cx, found: Owned, contentId: string): Promise<void> {
  const { blocks } = cx.services
  const size = await blocks.size(contentId)
  if (size === undefined) return
  const digest = await blocks.digest(contentId).catch((error: unknown) => {
    throw refusalOf(cx, error)
  })
  const facts = await bootFactsOf(cx.services, { content_id: contentId, size })
  const { scope, silo_id } = found
  await change(cx, scope, async (tx) => {
    await tx.hold('project', scope.project_id)
    const upload = await tx.lockById('image_upload', found.upload.id).catch(ignoreNotFound)
    if (!upload || !isFor(upload, contentId)) return
    const { name, description, os, version, block_size } = upload
    const bytes = { block_size, size, content_id: contentId, ...facts, digest }
    const values = { name, description, os, version, ...bytes, ...imageValuesOf(upload) }
    const image = await insertImage(tx, scope, values)
    await giveBack(tx, silo_id, upload)
    await removeContentLater(tx, upload.content_id)
    const done = { state: 'done', image_id: image.id, ...unconverted, image_size: size } as const
    await tx.update('image_upload', upload, done)
  })
}

/** Removes remnants of an ended conversion, and the object unless an image refers to it. */
async function clearUp(cx: Cx, contentId: string): Promise<void> {
  const { imageConverter, blocks } = cx.services
  if (await isReferenced(cx, contentId)) return
  await imageConverter?.discard(contentId)
  await blocks.remove(contentId)
}
