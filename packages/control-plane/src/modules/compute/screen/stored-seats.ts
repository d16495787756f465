import { sql } from 'kysely'
import { isRetryable } from '@gantry/control-plane/change/change'
import type { Db, Reader } from '@gantry/control-plane/db/database'
import { type Seat, settled } from './seats.ts'

/** How often a process says that its viewers are still there. */
export const SEEN_EVERY_MS = 4000
/** Who was not seen for this long is gone, with the process that served it. */
const GONE_MS = 15_000
const ATTEMPTS = 5

type StoredSeat = Seat & { vmm_id: string }

/** Those of viewers who are still there. A time ahead of the clock is not trusted. */
const isThere = (now: Date) =>
  sql<boolean>`time_seen BETWEEN ${new Date(now.getTime() - GONE_MS)} AND ${new Date(now.getTime() + GONE_MS)}`

export const seatsOf = (db: Reader, vmmIds: readonly string[], now: Date): Promise<StoredSeat[]> =>
  db
    .selectFrom('screen_viewer')
    .select(['id', 'vmm_id', 'name', 'time_joined', 'has_keyboard', 'time_asked'])
    .where('vmm_id', 'in', vmmIds)
    .where(isThere(now))
    .execute()

/** Whether the viewer is at the keyboard now. */
export async function hasKeyboard(db: Reader, id: string): Promise<boolean> {
  const seat = await db
    .selectFrom('screen_viewer')
    .select('has_keyboard')
    .where('id', '=', id)
    .executeTakeFirst()
  return seat?.has_keyboard ?? false
}

/**
 * Changes the seats of a machine's viewers, one change at a time whichever process makes it. New seats are stored, and missing
 * ones deleted.
 */
export async function changeSeats(
  db: Db,
  vmmId: string,
  now: Date,
  change: (seats: readonly Seat[]) => readonly Seat[],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        // Everything that changes seats takes this lock first.
        await sql`SELECT 1 FROM vmm WHERE id = ${vmmId} FOR NO KEY UPDATE`.execute(tx)
        await tx
          .deleteFrom('screen_viewer')
          .where('vmm_id', '=', vmmId)
          .where(sql<boolean>`NOT ${isThere(now)}`)
          .execute()
        const before = await seatsOf(tx, [vmmId], now)
        const after = settled(change(before), now)
        const gone = before.filter((seat) => !after.some(({ id }) => id === seat.id)).map(({ id }) => id)
        if (gone.length > 0) await tx.deleteFrom('screen_viewer').where('id', 'in', gone).execute()
        // Who leaves the keyboard comes first: two are never at it.
        for (const seat of [...after].sort((a, b) => Number(a.has_keyboard) - Number(b.has_keyboard))) {
          const old = before.find(({ id }) => id === seat.id)
          const { has_keyboard, time_asked } = seat
          if (!old)
            await tx
              .insertInto('screen_viewer')
              .values({ ...seat, vmm_id: vmmId, time_seen: now })
              .execute()
          else if (old.has_keyboard !== has_keyboard || old.time_asked !== time_asked)
            await tx
              .updateTable('screen_viewer')
              .set({ has_keyboard, time_asked })
              .where('id', '=', seat.id)
              .execute()
        }
      })
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** Says that these viewers are still there. Returns those that have their seats. */
export async function keepSeats(db: Db, ids: readonly string[], now: Date): Promise<Set<string>> {
  const kept = await db
    .updateTable('screen_viewer')
    .set({ time_seen: now })
    .where('id', 'in', ids)
    .returning('id')
    .execute()
  await db
    .deleteFrom('screen_viewer')
    .where(sql<boolean>`NOT ${isThere(now)}`)
    .execute()
  return new Set(kept.map(({ id }) => id))
}
