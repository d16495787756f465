import { type Cron, readCron } from './cron.rules.ts'
import type { KeepLevel, KeepRule } from './keep.rules.ts'
import { timesAfter } from './times.rules.ts'

export const scheduleActions = ['snapshot_disk', 'snapshot_instance', 'back_up', 'stop', 'start'] as const
export type ScheduleAction = (typeof scheduleActions)[number]

/** The kind of object that each acts on. */
export const actedOn = {
  snapshot_disk: 'disk',
  snapshot_instance: 'instance',
  back_up: 'instance',
  stop: 'instance',
  start: 'instance',
} as const satisfies Record<ScheduleAction, string>

export const scheduleActionWords: Readonly<Record<ScheduleAction, string>> = {
  snapshot_disk: 'Snapshots of disks',
  snapshot_instance: 'Snapshots of whole instances',
  back_up: 'Backups of instances',
  stop: 'Stop instances',
  start: 'Start instances',
}

/** What makes snapshots or backups, of which a keep rule can delete the old ones. */
export const makesCopies = (action: ScheduleAction): action is keyof typeof madeBy => action in madeBy

/** The kind of copy that each makes. */
export const madeBy = {
  snapshot_disk: 'snapshot',
  snapshot_instance: 'instance-snapshot',
  back_up: 'instance-backup',
} as const satisfies Partial<Record<ScheduleAction, string>>

/** What it makes, in a sentence about several. */
export const copyNoun = (action: ScheduleAction): 'snapshot' | 'backup' =>
  action === 'back_up' ? 'backup' : 'snapshot'

export const scheduleLimits = {
  /** Objects of one run, selected or matching. */
  objects: 200,
  /** Next runs shown. */
  next: 5,
  /** Runs listed, newest first. */
  runs: 100,
  /** Days to keep a run. */
  keptDays: 90,
  /** Missed runs that are counted; beyond that there are "at least" as many. */
  missed: 1000,
  /** A stop or start that is later than this is not made up. */
  lateMinutes: 60,
} as const

export const runStates = ['running', 'done', 'failed', 'missed'] as const
export type RunState = (typeof runStates)[number]
export const runItemStates = ['pending', 'under_way', 'done', 'failed'] as const
export type RunItemState = (typeof runItemStates)[number]

export type Timing =
  | { type: 'hourly'; minute: number }
  | { type: 'daily'; at: string }
  | { type: 'weekly'; days: readonly number[]; at: string }
  | { type: 'cron'; cron: string }

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/

/** A timing as a line of cron. */
export function cronOf(timing: Timing): string {
  if (timing.type === 'cron') return timing.cron
  if (timing.type === 'hourly') return `${timing.minute} * * * *`
  const [, hour, minute] = clockTime.exec(timing.at) ?? []
  const days = timing.type === 'daily' ? '*' : timing.days.toSorted((a, b) => a - b).join(',')
  return `${Number(minute)} ${Number(hour)} * * ${days}`
}

/** What is wrong with a timing. */
export function timingProblem(timing: Timing): string | undefined {
  if ('at' in timing && !clockTime.test(timing.at)) return 'Enter a time of day such as 03:30'
  if (timing.type === 'weekly' && timing.days.length === 0) return 'Select at least one day'
  return readCron(cronOf(timing)).problem
}

/** The timing in force; one that has no problem. */
export function readTiming(timing: Timing): Cron {
  const { cron, problem } = readCron(cronOf(timing))
  if (!cron) throw new Error(problem)
  return cron
}

/** When it runs next, as milliseconds. */
export const nextTimes = (timing: Timing, zone: string, after: number, count: number = scheduleLimits.next) =>
  timesAfter(readTiming(timing), zone, after, count)

/** A timing as people say it: `every day at 03:00`. */
export function timingWords(timing: Timing): string {
  switch (timing.type) {
    case 'hourly':
      return timing.minute === 0
        ? 'every hour'
        : `every hour, ${timing.minute} ${timing.minute === 1 ? 'minute' : 'minutes'} past`
    case 'daily':
      return `every day at ${timing.at}`
    case 'weekly':
      return `every ${daysText(timing.days)} at ${timing.at}`
    case 'cron':
      return `at ${timing.cron}`
    default:
      return timing satisfies never
  }
}

function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b)
  if (sorted.length === 7) return 'day'
  if (sorted.join('') === '12345') return 'weekday'
  const names = sorted.map((day) => weekdays[day] ?? '')
  return listed(sorted.length > 3 ? names.map((name) => name.slice(0, 3)) : names)
}

const units: Readonly<Record<KeepLevel, string>> = {
  hourly: 'hours',
  daily: 'days',
  weekly: 'weeks',
  monthly: 'months',
}

/** A keep rule as people say it: `the last of each of 24 hours, 7 days and 4 weeks`. */
export function keepWords(keep: KeepRule | null): string {
  if (!keep) return 'all of them'
  const parts = (['hourly', 'daily', 'weekly', 'monthly'] as const).flatMap((level) =>
    keep[level] > 0 ? [`${keep[level]} ${units[level]}`] : [],
  )
  return `the last of each of ${listed(parts)}`
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Why runs were missed. */
export const missedReasons = {
  late: 'The server was down when it was due.',
  overlap: 'The run before was still in progress.',
  deletion: 'The project was being deleted.',
} as const
