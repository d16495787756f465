import type { Refused } from '@gantry/api/extensions'
import type { KeepRule } from '@gantry/api/schedules/keep.rules'
import type { RunItemState, RunState, ScheduleAction, Timing } from '@gantry/api/schedules/schedule.rules'
import type { Defaulted, Json, JsonOrNull, Named } from './column-types.ts'

interface ScheduleTable extends Named {
  project_id: string
  action: ScheduleAction
  /** The selected objects by id; null with a filter. */
  objects: JsonOrNull<readonly string[]>
  filter: string | null
  timing: Json<Timing>
  timezone: string
  keep: JsonOrNull<KeepRule>
  /** Where it writes backups; null if it makes none. */
  target: JsonOrNull<{ type: 'default' } | { type: 'named'; backup_target: string }>
  is_enabled: boolean
}
/** When a schedule is due next: apart from it, so that a run changes nothing that users edit. */
interface ScheduleClockTable {
  schedule_id: string
  next_run: Date
}
/** One for each due time: the change that adds it begins the run. */
interface ScheduleRunTable {
  id: string
  schedule_id: string
  schedule_name: string
  silo_id: string
  project_id: string
  due: Date
  state: RunState
  missed: Defaulted<number>
  reason: Defaulted<string | null>
  /** Null until its objects are known. */
  total: Defaulted<number | null>
  done: Defaulted<number>
  failed: Defaulted<number>
  removed: Defaulted<number>
  time_begun: Date
  time_ended: Defaulted<Date | null>
}
interface ScheduleRunItemTable {
  run_id: string
  position: number
  object_id: string
  name: string
  state: RunItemState
  error: JsonOrNull<Refused>
  /** Of the snapshot that it takes, known before it is taken. */
  snapshot_id: string | null
  snapshot_name: string | null
}
/** The snapshots and backups that schedules made, for as long as they exist: a keep rule deletes no other. */
interface ScheduleMadeTable {
  snapshot_id: string
  schedule_id: string
  object_id: string
  time: Date
}

export interface SchedulesTracked {
  schedule: ScheduleTable
}
export interface SchedulesPlain {
  schedule_clock: ScheduleClockTable
  schedule_run: ScheduleRunTable
  schedule_run_item: ScheduleRunItemTable
  schedule_made: ScheduleMadeTable
}
