import type { SimulatedChange } from '../fleet.ts'
import { MiB } from '@gantry/api/base/bytes.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'

/** The first and the last MiB of output are retained (control plane reference, B 4.5). */
const keep = 1 * MiB
const chunkBytes = 64 * 1024

/** Appends output at byte `at`, and drops the middle of a log that has become too long. */
export async function appendSerial(
  tx: SimulatedChange,
  vmId: string,
  at: number,
  output: Uint8Array,
): Promise<void> {
  if (output.length === 0) return
  const chunks = []
  for (let from = 0; from < output.length; from += chunkBytes) {
    chunks.push({ vmm_id: vmId, first_byte: at + from, data: output.slice(from, from + chunkBytes) })
  }
  await tx.plain.insertInto('serial_chunk').values(chunks).execute()
  const end = at + output.length
  if (end <= 2 * keep) return
  // A chunk is dropped only when it lies entirely between the two parts.
  await tx.plain
    .deleteFrom('serial_chunk')
    .where('vmm_id', '=', vmId)
    .where('first_byte', '>=', keep)
    .where(sql<boolean>`first_byte + length(data) <= ${end - keep}`)
    .execute()
}

/**
 * Contiguous output from byte `from`. If `from` is no longer retained, the output starts at the next retained
 * byte; the result says where.
 */
export async function readSerialBytes(
  db: Reader,
  vmId: string,
  from: number,
  max: number,
): Promise<{ from: number; bytes: Uint8Array }> {
  const rows = await db
    .selectFrom('serial_chunk')
    .select(['first_byte', 'data'])
    .where('vmm_id', '=', vmId)
    .where('first_byte', '>', from - chunkBytes)
    .where(sql<boolean>`first_byte + length(data) > ${from}`)
    .orderBy('first_byte')
    .limit(512)
    .execute()
  const first = rows[0]
  if (!first) return { from, bytes: new Uint8Array() }
  const begin = Math.max(from, first.first_byte)
  const parts: Uint8Array[] = []
  let end = begin
  for (const { first_byte, data } of rows) {
    if (first_byte > end || end - begin >= max) break
    const part = data.subarray(end - first_byte)
    parts.push(part)
    end += part.length
  }
  const bytes = new Uint8Array(Math.min(max, end - begin))
  let at = 0
  for (const part of parts) {
    const room = bytes.subarray(at)
    room.set(part.subarray(0, room.length))
    at += part.length
  }
  return { from: begin, bytes }
}
