import { imageUploadPiece } from '@gantry/api/storage/image-upload.rules'
import { z } from 'zod'
import { type Download, DownloadFailed } from '@gantry/control-plane/blocks/downloads'
import { change } from '@gantry/control-plane/change/change'
import { defineJob, repeatIn, type Repeat } from '@gantry/control-plane/change/define-job'
import type { Cx } from '@gantry/control-plane/context/cx'
import { onceEach } from '@gantry/control-plane/context/once-each'
import { fullRefusal } from '@gantry/control-plane/context/out-of-space'
import { invalid, Refusal } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { findOwned, type Owned } from '../upload-holdings.ts'
import { receivedOf, recordRanges } from '../upload-ranges.ts'
import { writeBytes } from '../write-bytes.ts'
import { beginFile } from './begin-file.ts'
import { checkHead } from './check-head.ts'
import { verify } from './verify.ts'

/** How often a waiting fetch checks for its turn. */
const waitMs = 2000
/** How often a fetch notices that it was cancelled. */
const beatMs = 1000
/** Attempts without progress before it waits for a user. */
const maxFailures = 6
const backoffMs = (failures: number): number => Math.min(60_000, 1000 * 2 ** failures)

/**
 * Fetches the file of an upload, and begins the image. Each piece is recorded once it is stored, so that a restart asks for
 * the rest of the file. A server that cannot send the rest, or has another file by now, is asked for all of it again.
 */
export const uploadFetch = defineJob(
  'image-upload-fetch',
  z.object({ upload_id: z.string() }),
  async (cx, { upload_id }) => {
    const found = await findOwned(cx, upload_id)
    if (found?.upload.state !== 'fetching') return undefined
    return inTurn(cx, found, () => fetchFile(cx, found))
  },
  {
    // Waiting for a turn counts as attempts.
    maxAttempts: Infinity,
    isLong: true,
    /** What was fetched is kept, and the upload waits for a user. */
    async gaveUp(cx, { upload_id }, error) {
      const found = await findOwned(cx, upload_id)
      if (!found) return
      await change(cx, found.scope, async (tx) => {
        const upload = await tx.lockById('image_upload', upload_id).catch(ignoreNotFound)
        if (upload?.state !== 'fetching') return
        const failure = JSON.stringify(failureOf(error, cx.now(), 'The file could not be fetched.'))
        await tx.update('image_upload', upload, { state: 'open', failure })
      })
    },
  },
)

/** The project of each upload whose file is being fetched in this process. */
const fetchesOf = onceEach((_services: Services) => new Map<string, string>())

/** Only a few run at once, and half of them for one project; the others wait without occupying a job slot. */
async function inTurn(
  { services }: Cx,
  { upload: { id, project_id } }: Owned,
  work: () => Promise<Repeat | undefined>,
): Promise<Repeat | undefined> {
  const fetches = fetchesOf(services)
  const { at_once } = services.settings.image_import
  const own = [...fetches.values()].filter((project) => project === project_id).length
  if (fetches.has(id) || fetches.size >= at_once || own >= Math.ceil(at_once / 2)) return repeatIn(waitMs)
  fetches.set(id, project_id)
  try {
    return await work()
  } finally {
    fetches.delete(id)
  }
}

async function fetchFile(cx: Cx, found: Owned): Promise<Repeat | undefined> {
  const { downloads, ending, seal } = cx.services
  const source = await sourceOf(cx, found.upload.id)
  if (!downloads || !source)
    throw invalid('This server fetches no files from URLs.', 'Download the file, then upload it.')
  // The time for which it waited for its turn does not count.
  const begun = found.upload.size === 0 ? cx.now() : source.time_begun
  const deadline = begun.getTime() + cx.services.settings.image_import.hours * 3_600_000
  const cancelled = new AbortController()
  const beat = setInterval(() => {
    if (cx.now().getTime() > deadline) cancelled.abort(tookTooLong(cx))
    else void isWanted(cx, found.upload.id).then((wanted) => wanted || cancelled.abort())
  }, beatMs)
  const signal = AbortSignal.any([cancelled.signal, ending])
  const before = await offsetOf(cx, found.upload.id)
  try {
    const isWhole = found.upload.size > 0 && before === found.upload.size
    if (isWhole) {
      await verify(cx, found)
      return undefined
    }
    const from =
      before > 0 && source.validator !== null ? { offset: before, validator: source.validator } : undefined
    const download = await downloads.open(await seal.open(source.url), from, signal)
    const wanted = await beginFile(cx, found, download)
    if (wanted && (await store(cx, wanted, download))) await verify(cx, wanted)
    return undefined
  } catch (error) {
    if (ending.aborted) throw ending.reason
    if (!(await isWanted(cx, found.upload.id))) return undefined
    const { reason } = cancelled.signal as { reason: unknown }
    return await failed(cx, found, reason instanceof Refusal ? reason : error, before)
  } finally {
    clearInterval(beat)
    // Ends a connection whose pieces were not all read.
    cancelled.abort()
  }
}

const sourceOf = ({ db }: Cx, uploadId: string) =>
  db.selectFrom('image_import').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()

/** Assumed while the database is unavailable. */
const isWanted = ({ db }: Cx, uploadId: string): Promise<boolean> =>
  db
    .selectFrom('image_upload')
    .select('id')
    .where('id', '=', uploadId)
    .where('state', '=', 'fetching')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
    .then(
      (row) => row !== undefined,
      () => true,
    )

/** How much of the file is stored: it is fetched from its beginning. */
async function offsetOf(cx: Cx, uploadId: string): Promise<number> {
  const [first] = (await receivedOf(cx.db, [uploadId]))(uploadId).ranges
  return first?.offset === 0 ? first.length : 0
}

/** Stores the pieces; false if the upload takes no more. */
async function store(cx: Cx, { upload }: Owned, download: Download): Promise<boolean> {
  let at = download.offset
  let isChecked = at > 0
  const buffer = new Uint8Array(Math.min(imageUploadPiece, upload.size - at))
  let held = 0
  const flush = async (): Promise<boolean> => {
    const bytes = buffer.subarray(0, held)
    if (!isChecked) await checkHead(cx.services, upload, bytes, download.contentType)
    isChecked = true
    // What was never written reads as zero.
    if (bytes.some((byte) => byte !== 0))
      await writeBytes(cx.services, cx.services.blocks, upload.content_id, at, bytes)
    const isTaken = await recordRanges(cx, upload.id, [{ offset: at, length: held }])
    at += held
    held = 0
    return isTaken
  }
  for await (const piece of download.pieces) {
    if (at + held + piece.length > upload.size)
      throw new DownloadFailed('The server sent more bytes than it announced.', again, 'passing')
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + buffer.length - held)
      buffer.set(part, held)
      held += part.length
      from += part.length
      if (held === buffer.length && !(await flush())) return false
    }
  }
  if (held > 0 && !(await flush())) return false
  if (at < upload.size)
    throw new DownloadFailed('The connection ended before the file did.', again, 'passing')
  return true
}

const again = 'Try again. If it keeps failing, download the file and upload it.'

/** Tries again later, unless it makes no sense or has failed often without any progress. */
async function failed(cx: Cx, { upload }: Owned, error: unknown, before: number): Promise<Repeat> {
  const refusal = refusalOf(error)
  if (!refusal) throw error
  if (!(error instanceof DownloadFailed && error.kind === 'passing')) throw refusal
  const hasProgress = (await offsetOf(cx, upload.id)) > before
  const source = await sourceOf(cx, upload.id)
  const failures = hasProgress ? 1 : (source?.failures ?? 0) + 1
  if (failures >= maxFailures) throw refusal
  await cx.services.db
    .updateTable('image_import')
    .set({ failures })
    .where('upload_id', '=', upload.id)
    .execute()
  return repeatIn(backoffMs(failures))
}

/** A refusal ends the attempts; undefined for what is not expected, which is tried again. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof DownloadFailed) return invalid(error.message, error.help)
  if (error instanceof Refusal) return error
  return fullRefusal(error)
}

const tookTooLong = ({ services }: Cx): Refusal =>
  invalid(
    `Fetching the file took longer than ${services.settings.image_import.hours} hours.`,
    'Fetch it from a faster server, or ask the operator to raise the limit.',
  )
