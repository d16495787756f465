import { type ByteRange, mergeRanges } from '@gantry/api/storage/image-upload.rules'
import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import { latestPast } from '../../context/time.ts'
import type { Cx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'

/**
 * Records which bytes of an upload are stored. A row is written after its bytes are on disk, in one small
 * statement outside a change: an upload consists of thousands, and what users see (`received`) is the sum of
 * the rows and not a history. A crash can leave bytes without a row, which are sent again, but never a row
 * without its bytes. A range that continues another extends it, so a sequential upload needs few rows.
 *
 * Returns false if the upload accepts no more: the upload's row is locked meanwhile, so that the change that ends
 * it sees all rows or comes first.
 */
export async function recordRanges(cx: Cx, uploadId: string, ranges: readonly ByteRange[]): Promise<boolean> {
  const [first] = ranges
  if (!first) return true
  const given = JSON.stringify(ranges)
  // Only a single range can continue another.
  const following = ranges.length === 1 ? first : { offset: -1, length: 0 }
  const { rows } = await sql<{ open: number }>`
    WITH open AS (
      SELECT id FROM image_upload WHERE id = ${uploadId} AND state IN ('open', 'fetching') AND time_deleted IS NULL FOR SHARE
    ), grown AS (
      UPDATE image_upload_range r SET length = r.length + ${following.length}::int8, time = ${cx.now()}
      FROM open WHERE r.upload_id = open.id AND r.first_byte + r.length = ${following.offset}::int8
      RETURNING r.upload_id
    ), added AS (
      INSERT INTO image_upload_range (upload_id, first_byte, length, time)
      SELECT open.id, g."offset", g.length, ${cx.now()}::timestamptz
      FROM open, json_to_recordset(${given}::json) AS g("offset" int8, length int8)
      WHERE NOT EXISTS (SELECT 1 FROM grown)
      ON CONFLICT (upload_id, first_byte)
        DO UPDATE SET length = greatest(image_upload_range.length, excluded.length), time = excluded.time
    )
    SELECT count(*) AS open FROM open`.execute(cx.services.db)
  return Number(rows[0]?.open) > 0
}

/** Bytes received while the clock was ahead are dated now, or the upload would never become idle. */
export async function repairRanges({ db }: Services, now: Date): Promise<void> {
  await db.updateTable('image_upload_range').set({ time: now }).where('time', '>', latestPast(now)).execute()
}

export interface Received {
  ranges: ByteRange[]
  bytes: number
  /** Time of the last activity. */
  last: Date | undefined
}

const nothing: Received = { ranges: [], bytes: 0, last: undefined }

/**
 * What each of these uploads holds. One statement reads ranges and states together, because creating the
 * image deletes the ranges: an upload that is converting, completing, or done, has everything.
 */
export async function receivedOf(
  db: Reader,
  uploadIds: readonly string[],
): Promise<(id: string) => Received> {
  if (uploadIds.length === 0) return () => nothing
  const rows = await db
    .selectFrom('image_upload as upload')
    .leftJoin('image_upload_range as range', 'range.upload_id', 'upload.id')
    .select(['upload.id', 'upload.size', 'upload.state', 'range.first_byte', 'range.length', 'range.time'])
    .where('upload.id', 'in', uploadIds)
    .execute()
  const byUpload = new Map<string, typeof rows>()
  for (const row of rows) {
    const own = byUpload.get(row.id)
    if (own) own.push(row)
    else byUpload.set(row.id, [row])
  }
  return (id) => {
    const own = byUpload.get(id)
    if (!own?.[0]) return nothing
    const { state, size } = own[0]
    const held = own.flatMap(({ first_byte, length }) =>
      first_byte === null || length === null ? [] : [{ offset: first_byte, length }],
    )
    const isWhole = state === 'converting' || state === 'completing' || state === 'done'
    const ranges = isWhole ? [{ offset: 0, length: size }] : mergeRanges(held)
    return {
      ranges,
      bytes: ranges.reduce((sum, { length }) => sum + length, 0),
      last: own.reduce((last, { time }) => (time && time > last ? time : last), new Date(0)),
    }
  }
}

export async function forgetRanges(tx: Change, uploadId: string): Promise<void> {
  await tx.plain.deleteFrom('image_upload_range').where('upload_id', '=', uploadId).execute()
}
