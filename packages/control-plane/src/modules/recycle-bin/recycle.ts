import type { RecycledKind } from '@gantry/api/history/recycle-bin.rules'
import { auditActor } from '../../authz/actor.ts'
import type { Change } from '../../change/change.ts'
import type { Job } from '../../change/define-job.ts'
import type { Row } from '../../db/tables.ts'
import { countHeld } from './held.ts'
import { hoursOf } from './settings.ts'

interface Recycling<Args> {
  kind: RecycledKind
  row: { id: string; name: string | null }
  silo_id: string
  project_id: string | null
  /** What it comes back with, if that is in the bin too. */
  parent_id?: string
  /** Bytes that keep counting towards the quota. */
  storage?: number
  content_id?: string
  /** Stays reserved. */
  address?: Row<'external_ip'>
  /** What belonged to it and has no row of its own, in terms of its kind. */
  kept?: Record<string, unknown>
  /** Removes what it still has, once it is gone for good. */
  removal?: { job: Job<Args>; args: NoInfer<Args> }
}

const hourMs = 3_600_000

/**
 * Puts what this change deleted into the recycle bin: the object, with all rows that were deleted with it. Its name and
 * everything that is not kept here is free at once. Where the silo keeps nothing, or the caller wants it gone for good,
 * what it still has is removed now; false then.
 */
export async function recycle<Args>(
  tx: Change,
  { kind, row, silo_id, project_id, storage = 0, address, removal, ...rest }: Recycling<Args>,
): Promise<boolean> {
  const { cx } = tx
  const hours = cx.isForGood ? 0 : await hoursOf(tx.read, cx.services, silo_id)
  if (hours === 0) {
    if (removal) await tx.job(removal.job, removal.args)
    return false
  }
  const id = cx.newId()
  await tx.plain
    .insertInto('recycled')
    .values({
      id,
      kind,
      object_id: row.id,
      name: row.name ?? row.id,
      silo_id,
      project_id,
      parent_id: rest.parent_id ?? null,
      time_deleted: cx.now(),
      time_expires: new Date(cx.now().getTime() + hours * hourMs),
      actor: JSON.stringify(auditActor(cx.actor)),
      storage,
      content_id: rest.content_id ?? null,
      ip_pool_id: address?.ip_pool_id ?? null,
      ip_key: address?.ip_key ?? null,
      ip: address?.ip ?? null,
      kept: JSON.stringify({ ...rest.kept, removed: tx.removed(row.id) }),
      deletion_id: cx.request.task?.id ?? null,
      deletion: cx.request.task ? JSON.stringify(cx.request.task) : null,
      removal: removal ? JSON.stringify({ job: removal.job.name, args: removal.args }) : null,
    })
    .execute()
  await countHeld(tx, silo_id, storage)
  if (address) await reserve(tx, id, address)
  tx.note('recycled-item', id, undefined, undefined, { silo_id, project_id })
  return true
}

/** Keeps an address from others, as its use did. */
async function reserve(tx: Change, id: string, address: Row<'external_ip'>): Promise<void> {
  const { ip, ip_key, ip_int, ipv6_offset, ip_pool_id, first_port, last_port } = address
  await tx.insert('external_ip', {
    id,
    kind: 'ephemeral',
    name: null,
    description: null,
    project_id: null,
    instance_id: null,
    probe_id: null,
    ip,
    ip_key,
    ip_int,
    ipv6_offset,
    ip_pool_id,
    first_port,
    last_port,
  })
}
