import { z } from 'zod'
import { kinds } from '../kind.gen.ts'
import { family, get, post, put } from '../op.ts'
import { list, maybe, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'
import { Tag } from '../tags/tag.ts'
import { tagLimits } from '../tags/tag.rules.ts'
import { hashLength } from './activity.rules.ts'
import { changeableKinds } from './changeable-kinds.ts'
import { fourEyesKinds } from './four-eyes.rules.ts'
import { ChangePlan } from './plan.ts'
import { plannedMethods, savedPlanLimits, savedPlanStates } from './saved-plan.rules.ts'

const PlannedMethod = named('PlannedMethod', z.enum(plannedMethods))
const FourEyesKind = named('FourEyesKind', z.enum(fourEyesKinds))

const Person = z.object({
  id: Uuid,
  /** Null for a user long deleted. */
  name: z.string().nullable(),
})

const summary = {
  id: Uuid,
  state: named('SavedPlanState', z.enum(savedPlanStates)),
  author: Person,
  /** Who committed or withdrew it. */
  ended_by: Person.nullable(),
  note: z.string().nullable(),
  /** As in the audit log. */
  operation: z.string(),
  /** The object that the request names. */
  about: z.object({ kind: z.string(), id: Uuid, name: z.string().nullable() }).nullable(),
  project: z.object({ id: Uuid, name: z.string() }).nullable(),
  /** How many objects it changes, as it was saved. */
  change_count: z.number().int(),
  /** Set where the silo demands that another user than the author commits it. */
  four_eyes: FourEyesKind.nullable(),
  time_created: Timestamp,
  time_expires: Timestamp,
  time_ended: Timestamp.nullable(),
}

export const SavedPlan = named('SavedPlan', z.object(summary))
export type SavedPlan = z.infer<typeof SavedPlan>

const SavedPlanView = named(
  'SavedPlanView',
  z.object({
    ...summary,
    method: PlannedMethod,
    path: z.string(),
    /** JSON. */
    body: z.string().nullable(),
    /** Of what it creates. */
    tags: z.array(Tag),
    /** As it was when it was saved. */
    plan: ChangePlan,
  }),
)
export type SavedPlanView = z.infer<typeof SavedPlanView>

const SavedPlanCheck = named(
  'SavedPlanCheck',
  z.object({
    /** What it would do now, if it could be done. */
    current: ChangePlan.nullable(),
    /** Whether that is something else than when it was saved. */
    is_moved: z.boolean(),
    /** Why the caller cannot commit it; null for those who can. */
    why_not: z.string().nullable(),
  }),
)
export type SavedPlanCheck = z.infer<typeof SavedPlanCheck>

const SavedPlanCreate = named(
  'SavedPlanCreate',
  z.object({
    method: PlannedMethod,
    /** Path and query of the request, as it would be sent. */
    path: text(savedPlanLimits.pathLength),
    /** Its body, as JSON text. */
    body: maybe(text(savedPlanLimits.bodyLength)),
    /** Of what it creates. */
    tags: maybe(list(Tag, tagLimits.tags)),
    /** What it is for. */
    note: maybe(text(savedPlanLimits.noteLength)),
  }),
)

const FourEyesSettings = named(
  'FourEyesSettings',
  z.object({
    /** Requests of these kinds are carried out only as saved plans, which another user than the author commits. */
    kinds: list(FourEyesKind, fourEyesKinds.length),
  }),
)
export type FourEyesSettings = z.infer<typeof FourEyesSettings>

const one = { path: z.object({ saved_plan_id: Uuid }) }

export const savedPlanOps = {
  ...family('extensions', ['saved-plan'], {
    savedPlanList: get('/ext/v1/saved-plans', {
      summary:
        'List the saved plans of a project, or those of the silo and the fleet, that the caller may commit or made',
      query: z.object({ project: maybe(NameOrId) }),
      returns: named('SavedPlanList', z.object({ items: z.array(SavedPlan) })),
    }),
    savedPlanView: get('/ext/v1/saved-plans/{saved_plan_id}', {
      summary: 'Fetch a saved plan',
      ...one,
      returns: SavedPlanView,
    }),
    savedPlanCreate: post('/ext/v1/saved-plans', {
      summary: 'Save a request with its plan, for a user to commit',
      body: SavedPlanCreate,
      bodyMax: 2 * savedPlanLimits.bodyLength,
      returns: SavedPlan,
    }),
    savedPlanCheck: post('/ext/v1/saved-plans/{saved_plan_id}/check', {
      summary: 'Ask what a saved plan would do now, without changing anything',
      ...one,
      returns: SavedPlanCheck,
      status: 200,
      onlyReads: true,
      audited: false,
      changes: [],
      reads: kinds,
    }),
    savedPlanCommit: post('/ext/v1/saved-plans/{saved_plan_id}/commit', {
      summary: 'Carry out a saved plan',
      ...one,
      body: named('SavedPlanCommit', z.object({ hash: text(hashLength) })),
      returns: SavedPlan,
      status: 200,
      // Records of the audit log are only ever added.
      changes: changeableKinds,
    }),
    savedPlanWithdraw: post('/ext/v1/saved-plans/{saved_plan_id}/withdraw', {
      summary: 'Withdraw a saved plan, which nobody can commit then',
      ...one,
      returns: SavedPlan,
      status: 200,
    }),
  }),
  ...family('extensions', ['silo-four-eyes'], {
    fourEyesSettingsView: get('/ext/v1/four-eyes-settings', {
      summary: 'Fetch what the silo demands a second person for',
      returns: FourEyesSettings,
    }),
    fourEyesSettingsUpdate: put('/ext/v1/four-eyes-settings', {
      summary: 'Update what the silo demands a second person for',
      body: FourEyesSettings,
      returns: FourEyesSettings,
    }),
  }),
}
