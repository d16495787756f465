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
 * Writes a piece of an image. It is recorded once it is on disk, and only if its digest matches. The bytes
 * are read first, so that nothing has to be awaited between checking the upload and writing.
 */
export async function writePiece(cx: Cx, at: Selectors, offset: number): Promise<void> {
  const { raw } = cx
  if (!raw) throw new Error('bytes come with a request')
  const bytes = await readBytes(raw, imageUploadMaxPiece)
  const hashed = sha256(bytes)
  await writing(cx.services, async () => {
    const upload = await needOpen(cx, at)
    expectContentType(raw, 'application/octet-stream')
    const range = { offset, length: bytes.length }
    refuseRanges(upload, [range])
    if ((await hashed) !== contentDigest(raw))
      throw invalid(
        'the bytes do not match their content digest',
        'They were damaged in transit. Send them again.',
      )
    await writeBytes(cx.services, upload.content_id, offset, bytes)
    await record(cx, upload, [range])
  })
}

/** Records ranges as zero without reading bytes. */
export const writeZeros = (cx: Cx, at: Selectors, given: readonly ByteRange[]): Promise<void> =>
  writing(cx.services, async () => {
    const upload = await needOpen(cx, at)
    refuseRanges(upload, given)
    const ranges = mergeRanges(given)
    for (const range of ranges) await zeroBytes(cx.services, upload.content_id, range)
    await record(cx, upload, ranges)
  })

async function needOpen(cx: Cx, at: Selectors): Promise<Upload> {
  const { row } = await need(cx, 'image_upload', at, 'modify')
  if (!allows(imageUploadAllows, 'write', row.state)) throw closed(`: it is ${row.state}`)
  return row
}

async function record(cx: Cx, upload: Upload, ranges: readonly ByteRange[]): Promise<void> {
  if (!(await recordRanges(cx, upload.id, ranges))) throw closed('')
}

const closed = (why: string): Error =>
  invalid(`the upload takes no more bytes${why}`, 'Check its state, and start another upload if it ended.')

function refuseRanges(upload: Upload, ranges: readonly ByteRange[]): void {
  for (const range of ranges) {
    const problem = imageUploadRangeProblem(range, upload)
    if (problem) throw invalid(problem, 'Send whole blocks within the size of the upload.')
  }
}

/** The SHA-256 digest in the header, in base64 (RFC 9530). */
function contentDigest(request: Request): string {
  const header = request.headers.get('content-digest') ?? ''
  const value = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]*):/.exec(header)?.[1]
  if (value === undefined)
    throw unreadable('the header content-digest with a sha-256 is missing: content-digest: sha-256=:base64:')
  return value
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
}
