import { z } from 'zod'
import { Refused } from '../extensions.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  list,
  maybe,
  Moment,
  Name,
  named,
  NameOrId,
  OfProject,
  pageOf,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { cronMaxLength } from './cron.rules.ts'
import { keepMax } from './keep.rules.ts'
import { madeBy, runItemStates, runStates, scheduleActions, scheduleLimits } from './schedule.rules.ts'
import { zoneMaxLength } from './times.rules.ts'

const clockTime = text(5, 'expected a time of day such as 03:30')
const whole = (least: number, most: number) =>
  z.number().int().min(least).max(most).meta({ format: 'uint32' })

const ScheduleTiming = named(
  'ScheduleTiming',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('hourly'), minute: whole(0, 59) }),
    z.object({ type: z.literal('daily'), at: clockTime }),
    /** Days of the week, from 0 for Sunday. */
    z.object({ type: z.literal('weekly'), days: list(whole(0, 6), 7), at: clockTime }),
    /** Minute, hour, day of the month, month and weekday. */
    z.object({ type: z.literal('cron'), cron: text(cronMaxLength) }),
  ]),
)
const count = whole(0, keepMax)
const ScheduleKeep = named(
  'ScheduleKeep',
  z.object({ hourly: count, daily: count, weekly: count, monthly: count }),
)
/** Where backups are written: to the target that is the default when it runs, or to a certain one. */
const ScheduleTarget = named(
  'ScheduleTarget',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('default') }),
    z.object({ type: z.literal('named'), backup_target: NameOrId }),
  ]),
)
const given = {
  /** Either these objects, by name or id, */
  objects: maybe(list(NameOrId, scheduleLimits.objects)),
  /** or all that match a filter when it runs. */
  filter: maybe(text(filterMaxLength, `A filter has at most ${filterMaxLength} characters. Shorten it.`)),
  /** The name of a time zone, such as `Europe/Berlin`. */
  timezone: text(zoneMaxLength),
  /** Of a schedule that makes backups; by default the default one. */
  target: maybe(ScheduleTarget),
}

const Schedule = named(
  'Schedule',
  withIdentity({
    project_id: Uuid,
    action: named('ScheduleAction', z.enum(scheduleActions)),
    /** The selected objects, null with a filter. Deleted ones have no name, and are passed over. */
    objects: z.array(z.object({ id: Uuid, name: Name.nullable() })).nullable(),
    filter: z.string().nullable(),
    timing: ScheduleTiming,
    timezone: z.string(),
    /** Which of the snapshots or backups that it made stay; null for all. */
    keep: ScheduleKeep.nullable(),
    /** Where it writes backups; null if it makes none. */
    target: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('default') }),
        /** Without a name it was deleted, and runs fail until there is another one. */
        z.object({ type: z.literal('named'), backup_target: Uuid, name: Name.nullable() }),
      ])
      .nullable(),
    is_enabled: z.boolean(),
    /** Empty while it is disabled. */
    next_runs: z.array(Timestamp),
    /** Null before the first run, and once it is no longer kept. */
    last_run: z
      .object({ id: Uuid, due: Timestamp, state: named('ScheduleRunState', z.enum(runStates)) })
      .nullable(),
  }),
)
export type Schedule = z.infer<typeof Schedule>

const ScheduleCreate = named(
  'ScheduleCreate',
  z.object({
    ...identityCreate,
    action: z.enum(scheduleActions),
    ...given,
    timing: ScheduleTiming,
    keep: maybe(ScheduleKeep),
    is_enabled: z.boolean().default(true),
  }),
)
export type ScheduleCreate = z.infer<typeof ScheduleCreate>
const ScheduleUpdate = named(
  'ScheduleUpdate',
  z.object({
    ...IdentityUpdate,
    ...given,
    timezone: maybe(given.timezone),
    timing: maybe(ScheduleTiming),
    /** Unchanged if it is not given; `none` keeps all. */
    keep: maybe(z.union([ScheduleKeep, z.literal('none')])),
    is_enabled: maybe(z.boolean()),
  }),
)
export type ScheduleUpdate = z.infer<typeof ScheduleUpdate>

const ScheduleRun = named(
  'ScheduleRun',
  z.object({
    id: Uuid,
    schedule_id: Uuid,
    due: Timestamp,
    state: z.enum(runStates),
    time_begun: Timestamp,
    time_ended: Timestamp.nullable(),
    /** Runs that were due since the one before and did not happen; with the state `missed`, this one too. */
    missed: z.number().int().nonnegative().meta({ format: 'uint32' }),
    /** Why it was missed, did nothing, or kept what it should have deleted. */
    reason: z.string().nullable(),
    /** Objects, of which so many are done and failed. */
    total: z.number().int().nonnegative().meta({ format: 'uint32' }),
    done: z.number().int().nonnegative().meta({ format: 'uint32' }),
    failed: z.number().int().nonnegative().meta({ format: 'uint32' }),
    /** Old snapshots or backups that the keep rule deleted. */
    removed: z.number().int().nonnegative().meta({ format: 'uint32' }),
    /** The task of the run, as long as that is known. */
    task_id: Uuid.nullable(),
  }),
)
export type ScheduleRun = z.infer<typeof ScheduleRun>
const ScheduleRunItem = named(
  'ScheduleRunItem',
  z.object({
    object: z.object({ kind: z.string(), id: Uuid, name: Name }),
    /** `under_way`: accepted, and not over yet. */
    state: named('ScheduleRunItemState', z.enum(runItemStates)),
    error: Refused.nullable(),
    /** The snapshot or backup that it made, which may be deleted by now. */
    snapshot: z.object({ kind: z.enum(Object.values(madeBy)), id: Uuid, name: Name }).nullable(),
  }),
)
export type ScheduleRunItem = z.infer<typeof ScheduleRunItem>

const path = z.object({ schedule: NameOrId })

export const SchedulePage = pageOf('Schedule', Schedule)

export const scheduleOps = family('extensions', ['schedule'], {
  scheduleCreate: post('/ext/v1/schedules', {
    summary: 'Create a schedule for snapshots, backups, stops or starts',
    query: OfProject,
    body: ScheduleCreate,
    returns: Schedule,
  }),
  scheduleView: get('/ext/v1/schedules/{schedule}', {
    summary: 'Fetch a schedule',
    path,
    query: InProject,
    returns: Schedule,
  }),
  scheduleUpdate: put('/ext/v1/schedules/{schedule}', {
    summary: 'Update a schedule',
    path,
    query: InProject,
    body: ScheduleUpdate,
    returns: Schedule,
  }),
  scheduleDelete: del('/ext/v1/schedules/{schedule}', {
    summary: 'Delete a schedule; what it did stays',
    path,
    query: InProject,
  }),
  scheduleRunList: get('/ext/v1/schedules/{schedule}/runs', {
    summary: 'List the newest runs of a schedule',
    path,
    query: InProject,
    reads: ['schedule', 'schedule-run'],
    returns: named('ScheduleRuns', z.object({ items: z.array(ScheduleRun) })),
  }),
  scheduleRunItemList: get('/ext/v1/schedules/{schedule}/run-items', {
    summary: 'List what came of each object in a run of a schedule',
    path,
    /** Without the time at which it was due, that of the newest run. */
    query: InProject.extend({ due: maybe(Moment) }),
    reads: ['schedule', 'schedule-run'],
    returns: named('ScheduleRunItems', z.object({ items: z.array(ScheduleRunItem) })),
  }),
})
