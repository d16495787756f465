import { type PurgeReason, purgeReasons } from '@gantry/api/history/recycle-bin.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import type { Job } from '../../change/define-job.ts'
import type { Row } from '../../db/tables.ts'
import { countHeld } from './held.ts'
import { release } from '../network/addresses/free-address.ts'

type Item = Row<'recycled'>

interface Purged {
  item: Item
  /** The job that removes what it still had. */
  removalJob: string | undefined
}

/**
 * Deletes items for good, the oldest first, and returns them. `which` selects from `recycled`; those that are
 * being restored or purged are skipped, so that no request waits. What they still have is removed by jobs after the commit.
 */
export async function purge(tx: Change, which: RawBuilder<unknown>, reason: PurgeReason): Promise<Purged[]> {
  const { rows } = await sql<Item>`DELETE FROM recycled WHERE id = ANY (ARRAY(
    SELECT id FROM recycled WHERE ${which} ORDER BY time_deleted, id FOR UPDATE SKIP LOCKED)) RETURNING *`.execute(
    tx.plain,
  )
  const storage = new Map<string, number>()
  const purged: Purged[] = []
  for (const item of rows) {
    const { silo_id, project_id } = item
    storage.set(silo_id, (storage.get(silo_id) ?? 0) + item.storage)
    const { removal } = item
    const job = removal ? await tx.job(removalJob(removal.job), removal.args) : undefined
    purged.push({ item, removalJob: job })
    if (item.ip !== null) await free(tx, item)
    // What was in a project that is gone for good goes too, in its turn.
    if (item.kind === 'project')
      await sql`UPDATE recycled SET time_expires = ${tx.cx.now()} WHERE project_id = ${item.object_id}`.execute(
        tx.plain,
      )
    const scope = { silo_id, project_id }
    tx.note('recycled-item', item.id, undefined, undefined, scope)
    tx.purged(item.kind, item.object_id, { name: item.name, reason: purgeReasons[reason] }, scope)
  }
  for (const [silo_id, bytes] of storage) await countHeld(tx, silo_id, -bytes)
  return purged
}

/** Of a stored job only the name is known here; its owner parses the arguments. */
const removalJob = (name: string) => ({ name, isLong: false }) as unknown as Job<Record<string, unknown>>

/** Makes the reserved address of an item available. */
async function free(tx: Change, { id }: Item): Promise<void> {
  const address = await unreserve(tx, id)
  if (address) await release(tx, address)
}

/** Ends the reservation, in favour of the address itself. */
export async function unreserve(tx: Change, itemId: string): Promise<Row<'external_ip'> | undefined> {
  const reserved = await tx.read
    .selectFrom('external_ip')
    .selectAll()
    .where('id', '=', itemId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (reserved) await tx.remove('external_ip', reserved)
  return reserved
}
