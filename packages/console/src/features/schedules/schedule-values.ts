import type { InputOf } from '@gantry/api/client/client'
import type { KeepRule } from '@gantry/api/schedules/keep.rules'
import {
  makesCopies,
  type ScheduleAction,
  type Timing,
  timingProblem,
} from '@gantry/api/schedules/schedule.rules'
import type { Failure } from '#/data/failure.ts'
import type { Schedule } from './queries.ts'

/** The form's values: all of every choice, so that what is typed stays when the choice changes. */
export interface ScheduleValues {
  name: string
  description: string
  action: ScheduleAction
  which: 'objects' | 'filter'
  objects: string[]
  filter: string
  every: Timing['type']
  minute: number | null
  at: string
  days: number[]
  cron: string
  zone: string
  keepsAll: 'all' | 'rule'
  keep: Record<keyof KeepRule, number | null>
  /** The id of a backup target, or `default` for the one that is the default at each run. */
  target: string
  isEnabled: boolean
}

export const newValues = (zone: string): ScheduleValues => ({
  name: '',
  description: '',
  action: 'snapshot_disk',
  which: 'objects',
  objects: [],
  filter: '',
  every: 'daily',
  minute: 0,
  at: '03:00',
  days: [1],
  cron: '0 3 * * *',
  zone,
  keepsAll: 'rule',
  keep: { hourly: 24, daily: 7, weekly: 4, monthly: 0 },
  target: 'default',
  isEnabled: true,
})

export function valuesOf(schedule: Schedule): ScheduleValues {
  const { name, description, action, objects, filter, timing, timezone, keep, target, isEnabled } = schedule
  const { type: every, ...when } = timing
  return {
    ...newValues(timezone),
    name,
    description,
    action,
    which: objects ? 'objects' : 'filter',
    // An edit of the list does not send those that are deleted.
    objects: objects?.flatMap((object) => object.name ?? []) ?? [],
    filter: filter ?? '',
    every,
    ...when,
    keepsAll: keep ? 'rule' : 'all',
    ...(keep && { keep }),
    target: target?.type === 'named' ? target.backupTarget : 'default',
    isEnabled,
  }
}

export function timingOf({ every, minute, at, days, cron }: ScheduleValues) {
  switch (every) {
    case 'hourly':
      return { type: every, minute: minute ?? 0 } as const
    case 'daily':
      return { type: every, at } as const
    case 'weekly':
      return { type: every, days, at } as const
    case 'cron':
      return { type: every, cron } as const
    default:
      return every satisfies never
  }
}

/** What is wrong with the times, at the field that says them. */
export const whenProblem = (values: ScheduleValues): string | undefined => timingProblem(timingOf(values))

function keepOf({ action, keepsAll, keep }: ScheduleValues) {
  if (!makesCopies(action) || keepsAll === 'all') return undefined
  const { hourly, daily, weekly, monthly } = keep
  return { hourly: hourly ?? 0, daily: daily ?? 0, weekly: weekly ?? 0, monthly: monthly ?? 0 }
}

const placeOf = ({ action, target }: ScheduleValues) =>
  action !== 'back_up'
    ? undefined
    : target === 'default'
      ? ({ type: 'default' } as const)
      : ({ type: 'named', backupTarget: target } as const)

const targetsOf = ({ which, objects, filter }: ScheduleValues) =>
  which === 'objects' ? { objects } : { filter: filter.trim() }

export function createBody(values: ScheduleValues): InputOf<'scheduleCreate'>['body'] {
  const { name, description, action, zone, isEnabled } = values
  const keep = keepOf(values)
  const target = placeOf(values)
  return {
    name,
    description,
    action,
    ...targetsOf(values),
    timing: timingOf(values),
    timezone: zone,
    ...(keep && { keep }),
    ...(target && { target }),
    isEnabled,
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Only what was changed, so that other users' changes stay. */
export function updateBody(
  before: ScheduleValues,
  values: ScheduleValues,
): InputOf<'scheduleUpdate'>['body'] {
  const { name, description, zone, isEnabled, action } = values
  const keep = keepOf(values)
  return {
    ...(name !== before.name && { name }),
    ...(description !== before.description && { description }),
    ...(!isSame(targetsOf(before), targetsOf(values)) && targetsOf(values)),
    ...(!isSame(timingOf(before), timingOf(values)) && { timing: timingOf(values) }),
    ...(zone !== before.zone && { timezone: zone }),
    ...(makesCopies(action) && !isSame(keepOf(before), keep) && { keep: keep ?? ('none' as const) }),
    ...(!isSame(placeOf(before), placeOf(values)) && { target: placeOf(values) }),
    ...(isEnabled !== before.isEnabled && { isEnabled }),
  }
}

/** The field that a refusal concerns: a problem in the filter has a position. */
export const refusedField = ({ details, message }: Failure): 'filter' | 'zone' | undefined => {
  if (typeof details === 'object' && details !== null && 'from' in details) return 'filter'
  return message.includes('timezone') ? 'zone' : undefined
}
