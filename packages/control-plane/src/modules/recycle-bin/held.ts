import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'

/** Counts bytes into what the recycle bins of a silo hold, or out of it if negative. */
export async function countHeld(tx: Change, silo_id: string, bytes: number): Promise<void> {
  if (bytes === 0) return
  await sql`UPDATE provisioning SET recycled = recycled + ${bytes}::int8 WHERE id = ${silo_id}`.execute(
    tx.plain,
  )
}
