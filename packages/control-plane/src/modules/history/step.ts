import type { ActivityRevertPlan } from '@gantry/api/history/activity'
import type { ActivityAction } from '@gantry/api/history/activity.rules'
import type { OpName } from '@gantry/api/registry'
import type { ResourceLocation } from '../../authz/policy.ts'
import { isSameJson } from '../../db/same-json.ts'
import { locationOfChange } from '../../lookup/location.ts'
import type { Told } from './merged.ts'

type View = ActivityRevertPlan['steps'][number]
type Field = Omit<View['edits'][number], 'label'>

/** An operation that takes one change back. */
export interface Step {
  kind: string
  id: string
  name: string | null
  action: ActivityAction
  /** The instance that it attaches to or detaches from. */
  instance_id: string | undefined
  fields: Field[]
  /** What a caller needs to be allowed to modify. */
  location: ResourceLocation
  /** Of the list or object that it replaces, which must not change in between. */
  generation: number | undefined
  request: (keep: ReadonlySet<string>) => { op: OpName; input: { body?: Record<string, unknown> } }
}

/** Undefined for a change that cannot be taken back, a text for one that cannot any more. */
export type Reverting = Step | string | undefined

export const differs = (one: unknown, other: unknown): boolean => !isSameJson(one ?? null, other ?? null)

export const isGone = ({ name }: Told): string => `${name ?? 'It'} was deleted since.`

export const locationFor = (told: Told): ResourceLocation => locationOfChange({ ...told, id: told.object_id })

export const fieldStates = (field: string, made: unknown, now: unknown, back: unknown): Field => ({
  field,
  made: made ?? null,
  now: now ?? null,
  back: back ?? null,
  is_changed_since: differs(made, now),
})
