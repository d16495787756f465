import { z } from 'zod'
import { instanceParts } from '../compute/instance.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  flag,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  pageOf,
  pageTokenMax,
  paging,
  Timestamp,
  Uuid,
} from '../schema.ts'
import { TimeAndIdSortMode } from '../system/audit.ts'
import { activitySorts } from './activity.rules.ts'
import { recycleBinHours, recycledKinds, restoredTogether, restoreOutcomes } from './recycle-bin.rules.ts'

const RecycledKind = named('RecycledKind', z.enum(recycledKinds))

export const RecycledItem = named(
  'RecycledItem',
  z.object({
    id: Uuid,
    kind: RecycledKind,
    /** Of the object that was deleted. */
    object_id: Uuid,
    name: z.string(),
    /** Null for an operator of another silo, unless the reader may see that silo, and for a user long deleted. */
    deleted_by: z.object({ id: Uuid, name: z.string() }).nullable(),
    time_deleted: Timestamp,
    /** When it is deleted for good, unless something needs its room earlier. */
    time_expires: Timestamp,
    /** Bytes of storage that it holds. */
    storage: z.number().int(),
    /** The address that stays reserved for it. */
    ip: z.string().nullable(),
    /** What comes back with it, by kind. */
    parts: z.record(z.string(), z.number().int()),
    /** Whether the project or VPC that it was in was deleted too, so that it cannot come back alone. */
    needs_parent: z.boolean(),
    /** The deletion that took it together with others, all of which come back together. */
    deletion: z
      .object({
        id: Uuid,
        kind: z.string(),
        /** What was deleted, with all the rest. */
        object_id: Uuid,
        name: z.string(),
        /** How many items it took that are in the bin now, and the bytes of all. */
        items: z.number().int(),
        storage: z.number().int(),
      })
      .nullable(),
  }),
)
export type RecycledItem = z.infer<typeof RecycledItem>

export const RestoreStep = z.object({
  kind: z.string(),
  id: Uuid.nullable(),
  name: z.string(),
  outcome: named('RestoreOutcome', z.enum(restoreOutcomes)),
  /** What is different from before, or why it does not come back. */
  detail: z.string().nullable(),
})
export type RestoreStep = z.infer<typeof RestoreStep>

const Restoring = z.object({
  /** What it comes back as: a name of its own if its former one has been taken. */
  name: z.string(),
  steps: z.array(RestoreStep),
})

export const RestorePlan = named(
  'RestorePlan',
  Restoring.extend({
    item: RecycledItem,
    /** What else is in the bin that belongs to it, the most recently deleted first. */
    together: z.array(RecycledItem),
    /** How many items belong to it; `together` lists the first of them. */
    together_count: z.number().int(),
    /** Why it cannot be restored now. */
    why_not: z.string().nullable(),
  }),
)
export type RestorePlan = z.infer<typeof RestorePlan>

const Restored = named(
  'Restored',
  Restoring.extend({ kind: RecycledKind, object_id: Uuid, project_id: Uuid.nullable() }),
)
export type Restored = z.infer<typeof Restored>

const RecycleBinSettings = named(
  'RecycleBinSettings',
  z.object({
    /** Hours for which the silo keeps what is deleted; 0 deletes everything for good at once. */
    hours: z.number().int().min(recycleBinHours.min).max(recycleBinHours.max),
  }),
)
export type RecycleBinSettings = z.infer<typeof RecycleBinSettings>

export const RecycleBinUse = named(
  'RecycleBinUse',
  z.object({
    hours: z.number().int(),
    /** Bytes of storage in the silo: in use, held by its recycle bin, of that by this one, and its quota. */
    storage: z.object({
      used: z.number().int(),
      recycled: z.number().int(),
      here: z.number().int(),
      quota: z.number().int(),
    }),
    items: z.number().int(),
    /** Addresses that stay reserved. */
    addresses: z.number().int(),
  }),
)
export type RecycleBinUse = z.infer<typeof RecycleBinUse>

const bin = z.object({ project: maybe(NameOrId) })
const item = { path: z.object({ item_id: Uuid }) }
/** A restore can bring back an object of every kind, with its parts. */
export const everyKind = [
  ...recycledKinds,
  ...instanceParts,
  'vpc-router',
  'router-route',
  'vpc-firewall-rule',
  'internet-gateway',
  'internet-gateway-ip-pool',
  'internet-gateway-ip-address',
  'policy',
  'metric-query',
  'schedule',
  'shared-view',
  'instance-template',
] as const

export const recycleBinOps = {
  ...family('extensions', ['recycled-item', ...everyKind], {
    recycleBinList: get('/ext/v1/recycle-bin', {
      summary: "List what was deleted in a project, or the deleted projects and images of the caller's silo",
      query: z.object({
        ...paging(pageTokenMax),
        sort_by: maybe(TimeAndIdSortMode),
        object: maybe(Uuid),
        /** Everything that one deletion took; without it, the list has one item of each deletion. */
        deletion: maybe(Uuid),
        ...bin.shape,
      }),
      sorts: activitySorts,
      returns: pageOf('RecycledItem', RecycledItem),
      reads: ['recycled-item'],
    }),
    recycleBinUseView: get('/ext/v1/recycle-bin-use', {
      summary: 'Fetch what the recycle bin of a project or of the silo holds',
      query: bin,
      returns: RecycleBinUse,
      reads: ['recycled-item', 'silo-recycle-bin', 'utilization'],
    }),
    recycleBinEmpty: del('/ext/v1/recycle-bin', {
      changes: ['recycled-item'],
      summary: 'Delete for good what is in the recycle bin of a project or of the silo',
      query: bin,
    }),
    recycledItemPlan: post('/ext/v1/recycle-bin/{item_id}/restore-plan', {
      summary: 'Ask what restoring an item would do now, without changing anything',
      ...item,
      returns: RestorePlan,
      status: 200,
      onlyReads: true,
      changes: [],
      reads: everyKind,
    }),
    recycledItemRestore: post('/ext/v1/recycle-bin/{item_id}/restore', {
      summary: 'Restore a deleted object',
      ...item,
      body: named(
        'RecycledItemRestore',
        z.object({
          /** Its former name by default. */
          name: maybe(Name),
          /** Items that belong to it and come back with it. */
          together: list(Uuid, restoredTogether).default([]),
        }),
      ),
      returns: Restored,
    }),
    recycledItemDelete: del('/ext/v1/recycle-bin/{item_id}', {
      // The address that a floating IP kept is free again.
      changes: ['recycled-item', 'external-ip'],
      summary: 'Delete an item of the recycle bin for good',
      ...item,
      query: z.object({
        /** With everything else that its deletion took. */
        whole: flag.default(false),
      }),
    }),
    objectDelete: del('/ext/v1/objects/{object_id}', {
      summary: 'Delete an object, into the recycle bin or for good',
      path: z.object({ object_id: Uuid }),
      query: z.object({ kind: RecycledKind, for_good: flag.default(false) }),
    }),
  }),
  ...family('extensions', ['silo-recycle-bin'], {
    recycleBinSettingsView: get('/ext/v1/recycle-bin-settings', {
      summary: 'Fetch for how long the silo keeps what is deleted',
      returns: RecycleBinSettings,
    }),
    recycleBinSettingsUpdate: put('/ext/v1/recycle-bin-settings', {
      summary: 'Update for how long the silo keeps what is deleted',
      body: RecycleBinSettings,
      returns: RecycleBinSettings,
    }),
  }),
}
