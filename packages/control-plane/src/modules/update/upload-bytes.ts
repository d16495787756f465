import type { TufRepoInsertResponse, TufRepoUpload } from '@gantry/api/system/update'
import { updateUploadAllows, updateUploadMaxPiece } from '@gantry/api/system/update.rules'
import { allows } from '@gantry/api/base/state.rules'
import { sql } from 'kysely'
import { reauthenticate } from '../../authz/reauthenticate.ts'
import { readPieces } from '../../parse/body.ts'
import { change, fleetScope } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { expectContentType } from '../../parse/parse.ts'
import { readPiece } from '../../pipeline/upload-bytes.ts'
import { conflict, invalid, Refusal, unreadable } from '../../context/refusal.ts'
import { refuseDamaged, sha256 } from '../storage/content-digest.ts'
import { writeBytes } from '../storage/write-bytes.ts'
import { writing } from '../storage/writes.ts'
import { recordRelease, releaseOf } from './repositories.ts'
import { verifyStored } from './stored-archive.ts'
import { archiveMax, beginUpload, dropUpload, type Upload } from './uploads.ts'

/** Writes the next piece of an archive, which counts once it is on disk. Idempotent. */
export async function writePiece(cx: Cx, at: Selectors, offset: number): Promise<void> {
  const { raw, bytes } = await readPiece(cx, updateUploadMaxPiece)
  const hashed = sha256(bytes)
  await writing(cx.services, async () => {
    const { row: upload } = await need(cx, 'update_upload', at, 'modify')
    if (!allows(updateUploadAllows, 'write', upload.state)) throw closed()
    expectContentType(raw, 'application/octet-stream')
    if (bytes.length === 0) throw invalid('the piece is empty', 'Send at least one byte.')
    if (offset + bytes.length > upload.size)
      throw invalid(
        `the piece ends beyond the size ${upload.size}`,
        'Send bytes within the size of the upload.',
      )
    await refuseDamaged(raw, hashed)
    if (offset + bytes.length <= upload.received) return
    if (offset !== upload.received) throw elsewhere(upload.received)
    await writeBytes(cx.services, cx.services.blocks, upload.content_id, offset, bytes)
    await receive(cx, upload, offset, bytes.length)
  })
}

const closed = (): Refusal =>
  invalid('the upload takes no more bytes', 'Check its state, and start another upload if it ended.')

const elsewhere = (received: number): Refusal =>
  new Refusal('Conflict', `the next byte is at offset ${received}`, {
    help: 'Continue there.',
    details: { bytes_received: received },
  })

/**
 * Counts stored bytes in one small statement outside of a change, because an upload has many pieces. Another writer
 * of the same offset may have been first.
 */
async function receive(cx: Cx, { id }: Upload, offset: number, length: number): Promise<void> {
  const { rows } =
    await sql`UPDATE update_upload SET received = ${offset + length}::int8, time_received = ${cx.now()}
    WHERE id = ${id} AND received = ${offset}::int8 AND state = 'open' AND time_deleted IS NULL
    RETURNING id`.execute(cx.services.db)
  if (rows.length === 0)
    throw conflict('the upload has changed meanwhile', 'Check its state, and continue from there.')
}

export async function putRepository(cx: Cx, file_name: string): Promise<TufRepoInsertResponse> {
  const { recorded, status } = await receiveRepository(cx, file_name)
  return { recorded, status }
}

export async function putRelease(cx: Cx, file_name: string): Promise<TufRepoUpload> {
  const { row, status } = await receiveRepository(cx, file_name)
  return { repo: releaseOf(row), status }
}

/**
 * Receives a whole archive in one request: stores its bytes as they arrive, and verifies them before responding. An
 * aborted connection or process leaves no repository, and its space is freed later.
 */
async function receiveRepository(cx: Cx, file_name: string): ReturnType<typeof recordRelease> {
  needFleet(cx, 'modify')
  const { raw } = cx
  if (!raw) throw new Error('bytes come with a request')
  expectContentType(raw, 'application/octet-stream')
  const max = archiveMax(cx)
  const announced = raw.headers.get('content-length') ?? String(max)
  if (!/^\d+$/.test(announced))
    throw invalid(
      'the content length must be a number of bytes',
      'Send the size of the archive, or no length.',
    )
  if (Number(announced) > max) throw tooLarge(max)
  // The upload belongs to the request, whose audit record shows the outcome.
  const own = systemCx(cx.services, cx.request.operation)
  const upload = await beginUpload(own, { file_name, size: Number(announced), is_stream: true })
  try {
    const size = await writing(cx.services, () => receiveAll(own, raw, upload, max))
    // The archive may have taken hours.
    await reauthenticate(cx)
    needFleet(cx, 'modify')
    await beginCheck(own, upload)
    const release = await verifyStored(cx, { ...upload, size })
    return await change(cx, fleetScope, (tx) => recordRelease(tx, release, { file_name, size }))
  } finally {
    await change(own, fleetScope, async (tx) => {
      const last = await tx.lockById('update_upload', upload.id).catch(ignoreNotFound)
      if (last) await dropUpload(tx, last)
    })
  }
}

/** A large archive takes longer to verify than an upload may be idle. */
const beginCheck = (cx: Cx, { id }: Upload): Promise<Upload> =>
  change(cx, fleetScope, async (tx) =>
    tx.update('update_upload', await tx.lockById('update_upload', id), {
      state: 'checking',
      time_received: cx.now(),
    }),
  )

async function receiveAll(cx: Cx, raw: Request, upload: Upload, max: number): Promise<number> {
  let at = 0
  for await (const piece of readPieces(raw, updateUploadMaxPiece / 2)) {
    if (at + piece.length > max) throw tooLarge(max)
    await writeBytes(cx.services, cx.services.blocks, upload.content_id, at, piece)
    await receive(cx, upload, at, piece.length)
    at += piece.length
  }
  return at
}

const tooLarge = (max: number): Refusal => unreadable(`request body exceeded maximum size of ${max} bytes`)
