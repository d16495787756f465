import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { bulkActionLimits } from '../compute/instance-action.rules.ts'
import { Refused } from '../extensions.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { bulkDeletedKinds } from '../filter/list-kinds.rules.ts'
import { family, get, post } from '../op.ts'
import { flag, maybe, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'

const { instances: most } = bulkActionLimits

const BulkDeletedKind = named('BulkDeletedKind', z.enum(bulkDeletedKinds))

export const BulkDeletionCreate = named(
  'BulkDeletionCreate',
  z.object({
    kind: BulkDeletedKind,
    /** Either these, */
    objects: maybe(
      z.array(Uuid).min(1, 'expected at least one object').max(most, `expected at most ${most} objects`),
    ),
    /** or all that match a filter and whose state and protection allow it. */
    filter: maybe(text(filterMaxLength, `A filter has at most ${filterMaxLength} characters. Shorten it.`)),
    /** With a filter: refused if it is for more than this, because more match than the caller saw. */
    at_most: maybe(z.number().int().min(1).max(most, `expected at most ${most} objects`)),
    /** Nothing of it goes into the recycle bin. */
    for_good: z.boolean().default(false),
  }),
)
export type BulkDeletionCreate = z.infer<typeof BulkDeletionCreate>

export const BulkDeletion = named(
  'BulkDeletion',
  z.object({
    id: Uuid,
    /** Null for one in several projects, or in the silo. */
    project_id: Uuid.nullable(),
    kind: BulkDeletedKind,
    state: z.enum(['running', 'done']),
    /** In the requested order, without duplicates; those that a filter finds by name. */
    items: z.array(
      z.object({
        /** The name of a missing object is null. */
        object: z.object({ id: Uuid, name: z.string().nullable() }),
        state: z.enum(['pending', 'done', 'failed']),
        error: Refused.nullable(),
      }),
    ),
    time_created: Timestamp,
    time_completed: Timestamp.nullable(),
  }),
)
export type BulkDeletion = z.infer<typeof BulkDeletion>

const one = { path: z.object({ action: Uuid }), returns: BulkDeletion }

export const bulkDeletionOps = family('extensions', ['instance-action'], {
  bulkDeletionCreate: post('/ext/v1/bulk-deletions', {
    summary:
      'Delete many disks, snapshots, instance snapshots, backups, images, floating IPs, external subnets or VPCs',
    /** Where they are; without either, in all that the caller may see. */
    query: z.object({ project: maybe(NameOrId), silo_only: maybe(flag) }),
    body: BulkDeletionCreate,
    bodyMax: 128 * KiB,
    returns: BulkDeletion,
    status: 202,
  }),
  bulkDeletionView: get('/ext/v1/bulk-deletions/{action}', {
    summary: 'Fetch one of your deletions of many objects',
    noScreen: { shownBy: 'taskView' },
    ...one,
  }),
  bulkDeletionCancel: post('/ext/v1/bulk-deletions/{action}/cancel', {
    summary: 'Begin no more of one of your deletions of many objects',
    ...one,
    status: 200,
  }),
  bulkDeletionRetry: post('/ext/v1/bulk-deletions/{action}/retry', {
    summary: 'Repeat one of your deletions for the objects that it could not delete',
    ...one,
    status: 202,
  }),
})
