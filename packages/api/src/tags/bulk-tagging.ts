import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { bulkActionLimits } from '../compute/instance-action.rules.ts'
import { Refused } from '../extensions.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { bulkDeletedKinds } from '../filter/list-kinds.rules.ts'
import { family, get, post } from '../op.ts'
import { flag, list, maybe, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'
import { Tag, TagKey } from './tag.ts'
import { tagLimits } from './tag.rules.ts'

const { instances: most } = bulkActionLimits

const BulkTaggedKind = named('BulkTaggedKind', z.enum(['instance', ...bulkDeletedKinds]))
export type BulkTaggedKind = z.infer<typeof BulkTaggedKind>

const edit = {
  /** Tags that each object gets, or whose values change. */
  set: list(Tag, tagLimits.tags).default([]),
  /** Keys of tags that each object loses, if it has them. */
  remove: list(TagKey, tagLimits.tags).default([]),
}

const BulkTaggingCreate = named(
  'BulkTaggingCreate',
  z.object({
    kind: BulkTaggedKind,
    /** Either these, */
    objects: maybe(
      z.array(Uuid).min(1, 'expected at least one object').max(most, `expected at most ${most} objects`),
    ),
    /** or all that match a filter. */
    filter: maybe(text(filterMaxLength, `A filter has at most ${filterMaxLength} characters. Shorten it.`)),
    /** With a filter: refused if it is for more than this, because more match than the caller saw. */
    at_most: maybe(z.number().int().min(1).max(most, `expected at most ${most} objects`)),
    ...edit,
  }),
)

const BulkTagging = named(
  'BulkTagging',
  z.object({
    id: Uuid,
    /** Null for one in several projects, or in the silo. */
    project_id: Uuid.nullable(),
    kind: BulkTaggedKind,
    set: z.array(Tag),
    remove: z.array(TagKey),
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
export type BulkTagging = z.infer<typeof BulkTagging>

const one = { path: z.object({ action: Uuid }), returns: BulkTagging }

export const bulkTaggingOps = family('extensions', ['instance-action'], {
  bulkTaggingCreate: post('/ext/v1/bulk-taggings', {
    summary: 'Add and remove tags of many objects of a kind, each by itself',
    /** Where they are; without either, in all that the caller may see. */
    query: z.object({ project: maybe(NameOrId), silo_only: maybe(flag) }),
    body: BulkTaggingCreate,
    bodyMax: 128 * KiB,
    returns: BulkTagging,
    status: 202,
  }),
  bulkTaggingView: get('/ext/v1/bulk-taggings/{action}', {
    summary: 'Fetch one of your edits of tags of many objects',
    noScreen: { shownBy: 'taskView' },
    ...one,
  }),
  bulkTaggingCancel: post('/ext/v1/bulk-taggings/{action}/cancel', {
    summary: 'Begin no more of one of your edits of tags of many objects',
    ...one,
    status: 200,
  }),
  bulkTaggingRetry: post('/ext/v1/bulk-taggings/{action}/retry', {
    summary: 'Repeat one of your edits of tags for the objects that it could not edit',
    ...one,
    status: 202,
  }),
})
