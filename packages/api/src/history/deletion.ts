import { z } from 'zod'
import { Refused } from '../extensions.ts'
import { family, get, post } from '../op.ts'
import { ByteCount, named, text, Timestamp, Uuid } from '../schema.ts'
import { hashLength } from './activity.rules.ts'
import { blockerCauses, deletionFates, deletionStates, plannedKinds } from './deletion.rules.ts'

const PlannedKind = named('PlannedKind', z.enum(plannedKinds))

const Planned = z.object({ kind: PlannedKind, id: Uuid, name: z.string() })

const First = z.array(z.object({ id: Uuid, name: z.string() }))

/** Objects that keep the deletion from happening, for one cause. */
const DeletionBlocker = named(
  'DeletionBlocker',
  z.object({
    cause: named('DeletionBlockerCause', z.enum(blockerCauses)),
    /** Their kind. */
    kind: z.string(),
    count: z.number().int(),
    /** The first of them by name. */
    first: First,
    message: z.string(),
    /** The way out. */
    help: z.string(),
  }),
)
export type DeletionBlocker = z.infer<typeof DeletionBlocker>

/** Objects of one kind that go with the deleted one. */
const DeletionBranch = named(
  'DeletionBranch',
  z.object({
    kind: z.string(),
    /** The kind of what they belong to, if it is a branch itself. */
    under: z.string().nullable(),
    count: z.number().int(),
    /** Bytes of storage and of memory together; null for kinds that have none. */
    storage: ByteCount.nullable(),
    memory: ByteCount.nullable(),
    fate: named('DeletionFate', z.enum(deletionFates)),
    first: First,
    /** Of instances, those that run and are stopped first; of disks, those that are attached. */
    concerned: z.number().int().nullable(),
  }),
)
export type DeletionBranch = z.infer<typeof DeletionBranch>

export const DeletionPlan = named(
  'DeletionPlan',
  z.object({
    object: Planned,
    /** What is in the way: the deletion is refused while there is any. */
    blockers: z.array(DeletionBlocker),
    /** What goes with the object, one branch for each kind. */
    goes: z.array(DeletionBranch),
    /** For how many hours the recycle bin keeps what it takes; 0 if all of it is gone for good. */
    recycled_hours: z.number().int(),
    /** Steps of the task. */
    steps: z.number().int(),
    time_made: Timestamp,
    /** Of all that matters in this plan: a deletion with another one is refused. */
    hash: z.string(),
  }),
)
export type DeletionPlan = z.infer<typeof DeletionPlan>

const Step = z.object({ kind: z.string(), id: Uuid, name: z.string().nullable() })

export const Deletion = named(
  'Deletion',
  z.object({
    id: Uuid,
    object: Planned,
    /** `stopped`: a step was refused. */
    state: z.enum(deletionStates),
    /** Steps that are done, of all. */
    done: z.number().int(),
    total: z.number().int(),
    /** Instances that were told to stop and have not stopped yet. */
    waiting: z.number().int(),
    /** The step now running. */
    now: Step.nullable(),
    /** Where it was stopped, and why. */
    refusal: Step.extend({ error: Refused }).nullable(),
    time_created: Timestamp,
    time_ended: Timestamp.nullable(),
  }),
)
export type Deletion = z.infer<typeof Deletion>

const DeletionCreate = named(
  'DeletionCreate',
  z.object({
    kind: PlannedKind,
    object_id: Uuid,
    /** Of the plan that was reviewed. */
    hash: text(hashLength),
    /** Whether nothing goes into the recycle bin. */
    for_good: z.boolean().default(false),
  }),
)

const deletionPath = z.object({ deletion_id: Uuid })

export const deletionOps = family('extensions', ['deletion'], {
  deletionPlanView: get('/ext/v1/deletion-plans/{object_id}', {
    summary: 'Fetch what deleting an object would do, and what is in the way',
    path: z.object({ object_id: Uuid }),
    query: z.object({ kind: PlannedKind }),
    returns: DeletionPlan,
  }),
  deletionCreate: post('/ext/v1/deletions', {
    summary: 'Delete an object with everything that its plan says goes with it',
    body: DeletionCreate,
    returns: Deletion,
    status: 202,
  }),
  deletionList: get('/ext/v1/deletions', {
    summary: 'List your recent deletions, newest first',
    returns: named('Deletions', z.object({ items: z.array(Deletion) })),
  }),
  deletionView: get('/ext/v1/deletions/{deletion_id}', {
    summary: 'Fetch one of your deletions',
    noScreen: { shownBy: 'deletionList' },
    path: deletionPath,
    returns: Deletion,
  }),
  deletionCancel: post('/ext/v1/deletions/{deletion_id}/cancel', {
    summary: 'Cancel a deletion; what is deleted already stays so',
    path: deletionPath,
    returns: Deletion,
    status: 200,
  }),
})
