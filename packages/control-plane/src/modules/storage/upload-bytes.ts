import {
  type ByteRange,
  imageUploadAllows,
  imageUploadMaxPiece,
  imageUploadRangeProblem,
  mergeRanges,
} from '@gantry/api/storage/image-upload.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { expectContentType } from '../../parse/parse.ts'
import { readPiece } from '../../pipeline/upload-bytes.ts'
import { invalid } from '../../context/refusal.ts'
import { refuseDamaged, sha256 } from './content-digest.ts'
import { recordRanges } from './upload-ranges.ts'
import { writeBytes, zeroBytes } from './write-bytes.ts'
import { writing } from './writes.ts'

type Upload = Row<'image_upload'>

/**
 * Writes a piece of an image. It is recorded once it is on disk, and only if its digest matches. The bytes
 * are read first, so that nothing must be awaited between checking the upload and writing.
 */
export async function writePiece(cx: Cx, at: Selectors, offset: number): Promise<void> {
  const { raw, bytes } = await readPiece(cx, imageUploadMaxPiece)
  const hashed = sha256(bytes)
  await writing(cx.services, async () => {
    const upload = await needOpen(cx, at)
    expectContentType(raw, 'application/octet-stream')
    const range = { offset, length: bytes.length }
    refuseRanges(upload, [range])
    await refuseDamaged(raw, hashed)
    await writeBytes(cx.services, cx.services.blocks, upload.content_id, offset, bytes)
    await record(cx, upload, [range])
  })
}

/** Records ranges as zero without reading bytes. */
export const writeZeros = (cx: Cx, at: Selectors, given: readonly ByteRange[]): Promise<void> =>
  writing(cx.services, async () => {
    const upload = await needOpen(cx, at)
    refuseRanges(upload, given)
    const ranges = mergeRanges(given)
    for (const range of ranges) await zeroBytes(cx.services, cx.services.blocks, upload.content_id, range)
    await record(cx, upload, ranges)
  })

async function needOpen(cx: Cx, at: Selectors): Promise<Upload> {
  const { row } = await need(cx, 'image_upload', at, 'modify')
  if (!allows(imageUploadAllows, 'write', row.state)) throw closed(`: it is ${row.state}`)
  if (row.source_url !== null) throw closed(': the server fetches them from its URL')
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
