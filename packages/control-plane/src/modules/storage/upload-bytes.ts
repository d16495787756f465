import {
  type ByteRange,
  imageUploadAllows,
  imageUploadMaxPiece,
  imageUploadRangeProblem,
  mergeRanges,
} from '@gantry/api/image-upload.rules'
import { allows } from '@gantry/api/state.rules'
import type { Row } from '../../db/tables.ts'
import { readBytes } from '../../kernel/body.ts'
import type { Cx } from '../../kernel/cx.ts'
import { need, type Selectors } from '../../kernel/need.ts'
import { expectContentType } from '../../kernel/parse.ts'
import { invalid, unreadable } from '../../kernel/refusal.ts'
import { recordRanges } from './upload-ranges.ts'
import { writeBytes, zeroBytes } from './write-bytes.ts'
import { writing } from './writes.ts'

type Upload = Row<'image_upload'>

/**
 * Takes a piece of an image. It counts once it is on the disk, and only if it is what its sender meant to send. The
 * caller is asked before the bytes are read, since there are many of them.
 */
export async function writePiece(cx: Cx, at: Selectors, offset: number): Promise<void> {
  const { row: upload } = await need(cx, 'image_upload', at, 'modify')
  refuseClosed(upload)
  if (!cx.raw) throw new Error('bytes come with a request')
  expectContentType(cx.raw, 'application/octet-stream')
  const wanted = contentDigest(cx.raw)
  const bytes = await readBytes(cx.raw, imageUploadMaxPiece)
  const range = { offset, length: bytes.length }
  refuseRanges(upload, [range])
  if ((await sha256(bytes)) !== wanted)
    throw invalid(
      'the bytes do not match their content digest',
      'They were damaged on their way: send them again.',
    )
  await put(cx, upload, [range], () => writeBytes(cx.services, upload.content_id, offset, bytes))
}

/** Takes the word for it that ranges are zero. */
export async function writeZeros(cx: Cx, at: Selectors, given: readonly ByteRange[]): Promise<void> {
  const { row: upload } = await need(cx, 'image_upload', at, 'modify')
  refuseClosed(upload)
  refuseRanges(upload, given)
  const ranges = mergeRanges(given)
  await put(cx, upload, ranges, async () => {
    for (const range of ranges) await zeroBytes(cx.services, upload.content_id, range)
  })
}

/** Looks once more whether the upload is open, when whoever closes it would wait; then writes and notes the ranges. */
const put = (cx: Cx, upload: Upload, ranges: ByteRange[], write: () => Promise<void>): Promise<void> =>
  writing(cx.services, async () => {
    refuseClosed(
      await cx.db
        .selectFrom('image_upload')
        .select(['state', 'time_deleted'])
        .where('id', '=', upload.id)
        .executeTakeFirst(),
    )
    await write()
    if (!(await recordRanges(cx, upload.id, ranges))) throw closed()
  })

function refuseClosed(upload: Pick<Upload, 'state' | 'time_deleted'> | undefined): void {
  if (!upload || upload.time_deleted || !allows(imageUploadAllows, 'write', upload.state))
    throw closed(upload?.state)
}

const closed = (state?: string): Error =>
  invalid(
    `the upload takes no more bytes${state && state !== 'open' ? `: it is ${state}` : ''}`,
    'Look at its state; begin another one if it ended.',
  )

function refuseRanges(upload: Upload, ranges: readonly ByteRange[]): void {
  for (const range of ranges) {
    const problem = imageUploadRangeProblem(range, upload)
    if (problem) throw invalid(problem, 'Send whole blocks that lie within the size of the upload.')
  }
}

/** The SHA-256 among the digests of the header, in base64 (RFC 9530). */
function contentDigest(request: Request): string {
  const header = request.headers.get('content-digest') ?? ''
  const value = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]*):/.exec(header)?.[1]
  if (value === undefined)
    throw unreadable('a header content-digest with a sha-256 is missing: content-digest: sha-256=:base64:')
  return value
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
}
