import { z } from 'zod'
import { kinds } from '../kind.gen.ts'
import { family, get, post } from '../op.ts'
import { externalIdMaxLength } from '../people/silo.rules.ts'
import {
  flag,
  list,
  maybe,
  Moment,
  moment,
  named,
  NameOrId,
  paging,
  text,
  Timestamp,
  Uuid,
} from '../schema.ts'
import { TimeAndIdSortMode } from '../system/audit.ts'
import {
  activityActions,
  activityFilters,
  activityOutcomes,
  activitySorts,
  hashLength,
  revertFieldMax,
  revertFieldsMax,
  sentRequestLimits,
} from './activity.rules.ts'
import { plannedMethods } from './saved-plan.rules.ts'
import { Tag } from '../tags/tag.ts'
import { changeableKinds } from './changeable-kinds.ts'

const Place = z.object({ id: Uuid, name: z.string() }).nullable()

const ActivityAction = named('ActivityAction', z.enum(activityActions))

/** One field of an object, before and after. A reference to an object that the reader may see is its name. */
export const ActivityDifference = named(
  'ActivityDifference',
  z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }),
)
export type ActivityDifference = z.infer<typeof ActivityDifference>

/** What one object went through. */
export const ActivityChange = named(
  'ActivityChange',
  z.object({
    kind: z.string(),
    id: Uuid,
    /** Of something without a name, what people call it by, such as its address. */
    name: z.string().nullable(),
    action: ActivityAction,
    /** The instance that it was attached to or detached from, or the disk of a snapshot. */
    other: Place,
    /** Empty unless it was edited; in a plan, all that is told of what is created or deleted. */
    differences: z.array(ActivityDifference),
  }),
)
export type ActivityChange = z.infer<typeof ActivityChange>

const ActivityActor = named(
  'ActivityActor',
  z.object({
    /**
     * `platform` is the control plane itself, `scim` an identity provider that manages users, and `anonymous` a caller
     * who was not signed in.
     */
    kind: z.enum(['user', 'platform', 'scim', 'anonymous']),
    /** Null for an operator of another silo, unless the reader may see that silo. */
    id: Uuid.nullable(),
    name: z.string().nullable(),
    /** `session_cookie`, `access_token` or `scim_token`; null if that is no longer kept. */
    auth_method: z.string().nullable(),
    user_agent: z.string().nullable(),
    /** The access token that acted for the user; one that a device requested has no name. */
    token: z.object({ id: Uuid, name: z.string().nullable() }).nullable(),
  }),
)

export const ActivityEntry = named(
  'ActivityEntry',
  z.object({
    id: Uuid,
    time: Timestamp,
    outcome: named('ActivityOutcome', z.enum(activityOutcomes)),
    actor: ActivityActor,
    /** Who saved the plan that this carried out, if it was one. */
    planned_by: z.object({ id: Uuid, name: z.string().nullable() }).nullable(),
    /** The operation of the request, or the platform's work. */
    operation: z.string(),
    /** Null if it was not a request. */
    request_id: z.string().nullable(),
    project: Place,
    silo: Place,
    /** The object that it was about, and then what changed with it. */
    changes: z.array(ActivityChange).min(1),
    /** Of those that the reader may see. */
    change_count: z.number().int(),
    /** Why the platform did it, why it failed, or why it was refused. */
    reason: z.string().nullable(),
    /** Whether it can be taken back, by those who may change the object. */
    is_revertible: z.boolean(),
    /** Until what was asked for was done; null if that is not known, or not yet. */
    took_ms: z.number().int().nullable(),
  }),
)
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** One field of a revert: what the entry made of it, what it is now, and what it will be. */
const RevertField = z.object({
  field: z.string(),
  /** The name of what the field is about, where the field is an id. */
  label: z.string().nullable(),
  made: z.unknown(),
  now: z.unknown(),
  back: z.unknown(),
  /** Whether it was changed since, so that reverting overwrites that too unless it is kept. */
  is_changed_since: z.boolean(),
})

export const ActivityRevertPlan = named(
  'ActivityRevertPlan',
  z.object({
    /** What reverting does to each object. */
    steps: z.array(
      z.object({
        kind: z.string(),
        id: Uuid,
        name: z.string().nullable(),
        action: ActivityAction,
        other: Place,
        edits: z.array(RevertField),
      }),
    ),
    /** What changed with it and does not come back. */
    lost: z.array(ActivityChange),
    /** Why it cannot be reverted now; null if it can. */
    why_not: z.string().nullable(),
    /** Of the state that this was made from: reverting with another one is refused. */
    hash: z.string(),
  }),
)
export type ActivityRevertPlan = z.infer<typeof ActivityRevertPlan>

const ActivityRevert = named(
  'ActivityRevert',
  z.object({
    hash: text(hashLength),
    /** Fields that stay as they are now. */
    keep: list(text(revertFieldMax), revertFieldsMax).default([]),
  }),
)
/** The request behind an entry, as its caller sent it, without its secrets. */
const SentRequest = named(
  'SentRequest',
  z.object({
    entry_id: Uuid,
    /** Of what a task did, the request that began it. */
    request_id: z.string(),
    /** As the client library names it. */
    operation: z.string(),
    method: named('SentMethod', z.enum(plannedMethods)),
    /** With its parameters in braces. */
    path: z.string(),
    /** JSON: parameters of `path` and `query`, and `body`, which is null for a request without one. */
    input: z.string(),
    tags: z.array(Tag),
    /** The object that it created and answered with. */
    answered: z.object({ id: Uuid, name: z.string().nullable() }).nullable(),
  }),
)

const entryPath = z.object({ entry_id: Uuid })

/** A page token also carries the filters. */
export const activityTokenMax = 4096
const whoMax = externalIdMaxLength
const filters = {
  ...paging(activityTokenMax),
  sort_by: maybe(TimeAndIdSortMode),
  /** An object, and what belongs to it or is attached to it. */
  object: maybe(Uuid),
  /** An object by name or id, deleted ones included, or the id of a request. */
  search: maybe(text(whoMax)),
  /** A user, by name or id. */
  by: maybe(text(whoMax)),
  /** What the platform did. */
  by_platform: maybe(flag),
  /** Any of these kinds: repeated, or separated by commas. */
  kind: maybe(list(z.enum(kinds), kinds.length)),
  action: maybe(list(ActivityAction, activityActions.length)),
  outcome: maybe(named('ActivityFilter', z.enum(activityFilters))),
  /** Inclusive. */
  start_time: maybe(Moment),
  /** Exclusive. */
  end_time: maybe(moment()),
}
const ActivityResultsPage = named(
  'ActivityEntryResultsPage',
  z.object({
    items: z.array(ActivityEntry),
    next_page: z.string().nullish(),
    /** Until when it was searched where matches are so rare that the page ends early; `next_page` searches further. */
    time_searched: Timestamp.nullable(),
  }),
)
const page = { sorts: activitySorts, returns: ActivityResultsPage, reads: kinds }

export const activityOps = family('extensions', [], {
  activityList: get('/ext/v1/activity', {
    summary: "List what happened in a project or in the caller's silo, or what the caller did",
    query: z.object({
      ...filters,
      project: maybe(NameOrId),
      /** Only what the caller did, anywhere. */
      mine: maybe(flag),
    }),
    ...page,
  }),
  systemActivityList: get('/ext/v1/system/activity', {
    summary: 'List what happened to the objects of the fleet',
    query: z.object(filters),
    ...page,
  }),
  currentUserRequestList: get('/ext/v1/me/requests', {
    summary: "List the caller's own requests behind entries of activity, as far as they are kept",
    query: z.object({ entry: list(Uuid, sentRequestLimits.entries) }),
    returns: named('SentRequestList', z.object({ items: z.array(SentRequest) })),
    reads: kinds,
  }),
  activityRevertView: get('/ext/v1/activity/{entry_id}/revert', {
    summary: 'Show what reverting an entry of activity would do now',
    path: entryPath,
    returns: ActivityRevertPlan,
    reads: kinds,
  }),
  activityRevert: post('/ext/v1/activity/{entry_id}/revert', {
    summary: 'Revert an entry of activity as planned',
    path: entryPath,
    body: ActivityRevert,
    status: 204,
    // Tags of nearly every kind are among what it can take back.
    changes: changeableKinds,
  }),
})
