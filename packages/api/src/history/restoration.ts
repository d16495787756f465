import { z } from 'zod'
import { Refused } from '../extensions.ts'
import { family, get, post } from '../op.ts'
import { ByteCount, maybe, Name, named, Timestamp, Uuid } from '../schema.ts'
import { deletionStates, plannedKinds } from './deletion.rules.ts'
import { everyKind, RestoreStep } from './recycle-bin.ts'

const Step = z.object({ kind: z.string(), id: Uuid, name: z.string().nullable() })

const RestorationRefusal = named('RestorationRefusal', Step.extend({ error: Refused }))
export type RestorationRefusal = z.infer<typeof RestorationRefusal>

/** What was deleted, with all that comes back with it. */
const whole = {
  deletion_id: Uuid,
  object: z.object({ kind: z.enum(plannedKinds), id: Uuid, name: z.string() }),
}

export const RestorationPlan = named(
  'RestorationPlan',
  z.object({
    ...whole,
    /** What the deleted object comes back as; null if it is not in the bin itself. */
    name: z.string().nullable(),
    /** Items, of which the first `tried` were tried. */
    items: z.number().int(),
    tried: z.number().int(),
    kinds: z.array(z.object({ kind: z.string(), count: z.number().int(), storage: ByteCount })),
    /** Parts and objects that come back changed, or not at all: the first of them. */
    steps: z.array(RestoreStep),
    /** Items that cannot come back now, and why: the first of them. They stay in the bin. */
    refused: z.array(RestorationRefusal),
    /** Why nothing of it can be restored now. */
    why_not: z.string().nullable(),
  }),
)
export type RestorationPlan = z.infer<typeof RestorationPlan>

export const Restoration = named(
  'Restoration',
  z.object({
    ...whole,
    id: Uuid,
    /** `stopped`: it could not continue. What is restored already stays so, and the rest stays in the bin. */
    state: z.enum(deletionStates),
    /** Items that are restored, and that could not be, of all. */
    done: z.number().int(),
    failed: z.number().int(),
    total: z.number().int(),
    /** The step now running. */
    now: Step.nullable(),
    /** What could not be restored, and why: the first of them. */
    refusals: z.array(RestorationRefusal),
    /** Where it was stopped, and why. */
    refusal: RestorationRefusal.nullable(),
    time_created: Timestamp,
    time_ended: Timestamp.nullable(),
  }),
)
export type Restoration = z.infer<typeof Restoration>

const path = z.object({ restoration_id: Uuid })

export const restorationOps = family('extensions', ['restoration', 'recycled-item', ...everyKind], {
  restorationPlan: post('/ext/v1/deletions/{deletion_id}/restoration-plan', {
    summary: 'Ask what restoring everything that a deletion took would do now, without changing anything',
    path: z.object({ deletion_id: Uuid }),
    returns: RestorationPlan,
    status: 200,
    onlyReads: true,
    changes: [],
    reads: ['recycled-item', ...everyKind],
  }),
  restorationCreate: post('/ext/v1/restorations', {
    changes: ['restoration', 'recycled-item'],
    summary: 'Restore everything that a deletion took',
    body: named(
      'RestorationCreate',
      z.object({
        deletion_id: Uuid,
        /** Of the deleted object itself: its former name by default. */
        name: maybe(Name),
      }),
    ),
    returns: Restoration,
    status: 202,
  }),
  restorationView: get('/ext/v1/restorations/{restoration_id}', {
    summary: 'Fetch a restoration with what could not be restored',
    noScreen: { shownBy: 'taskView' },
    path,
    returns: Restoration,
    reads: ['restoration'],
  }),
  restorationCancel: post('/ext/v1/restorations/{restoration_id}/cancel', {
    changes: ['restoration'],
    summary: 'Cancel a restoration; what is restored already stays so',
    path,
    returns: Restoration,
    status: 200,
  }),
})
