import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { Refused } from '../extensions.ts'
import { bulkActionLimits, bulkActions, runActions } from './instance-action.rules.ts'
import { family, get, post } from '../op.ts'
import { InProject, maybe, Name, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'

const { instances } = bulkActionLimits

export const InstanceActionCreate = named(
  'InstanceActionCreate',
  z.object({
    action: z.enum(bulkActions),
    /** Either these, without a project by id, */
    instances: maybe(
      z
        .array(NameOrId)
        .min(1, 'expected at least one instance')
        .max(instances, `expected at most ${instances} instances`),
    ),
    /** or all that match a filter and whose state and protection allow the action. */
    filter: maybe(text(filterMaxLength, `A filter has at most ${filterMaxLength} characters. Shorten it.`)),
    /** With a filter: refused if it is for more than this, because more match than the caller saw. */
    at_most: maybe(z.number().int().min(1).max(instances, `expected at most ${instances} instances`)),
  }),
)
export type InstanceActionCreate = z.infer<typeof InstanceActionCreate>

export const InstanceAction = named(
  'InstanceAction',
  z.object({
    id: Uuid,
    /** Null for one in several projects. */
    project_id: Uuid.nullable(),
    action: z.enum(runActions),
    state: z.enum(['running', 'done']),
    /** In the requested order, without duplicates. */
    items: z.array(
      z.object({
        /** Unknown facts of a missing instance are null. */
        instance: z.object({ id: Uuid.nullable(), name: Name.nullable() }),
        /** `under_way`: accepted, but the instance has not reached the target state. */
        state: z.enum(['pending', 'under_way', 'done', 'failed']),
        error: Refused.nullable(),
      }),
    ),
    time_created: Timestamp,
    time_completed: Timestamp.nullable(),
  }),
)
export type InstanceAction = z.infer<typeof InstanceAction>

export const instanceActionOps = family('extensions', ['instance-action'], {
  instanceActionCreate: post('/ext/v1/instance-actions', {
    summary: 'Start, stop, reboot or delete many instances, of a project or of all that you may see',
    query: InProject,
    body: InstanceActionCreate,
    bodyMax: 128 * KiB,
    returns: InstanceAction,
    status: 202,
  }),
  instanceActionList: get('/ext/v1/instance-actions', {
    summary: 'List your recent actions on many instances of a project, or of several, newest first',
    query: InProject,
    returns: named('InstanceActions', z.object({ items: z.array(InstanceAction) })),
  }),
  instanceActionView: get('/ext/v1/instance-actions/{action}', {
    summary: 'Fetch one of your actions on many instances',
    noScreen: { shownBy: 'instanceActionList' },
    path: z.object({ action: Uuid }),
    returns: InstanceAction,
  }),
  instanceActionCancel: post('/ext/v1/instance-actions/{action}/cancel', {
    summary: 'Begin no more of one of your actions on many instances',
    path: z.object({ action: Uuid }),
    returns: InstanceAction,
    status: 200,
  }),
  instanceActionRetry: post('/ext/v1/instance-actions/{action}/retry', {
    summary: 'Repeat one of your actions on the instances for which it failed',
    path: z.object({ action: Uuid }),
    returns: InstanceAction,
    status: 202,
  }),
})
