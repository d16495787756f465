import { actedOn, type ScheduleAction } from '@gantry/api/schedules/schedule.rules'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { plural } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Run, Schedule } from './queries.ts'

export const ScheduleDocs = () => (
  <DocsPopover topic="schedules" page="schedules">
    A schedule takes snapshots of disks or of whole instances, backs instances up, or stops or starts them, at
    times of its own time zone. It acts for the project, so it goes on when the user who created it leaves. It
    deletes only snapshots and backups that it made, and never the last good one.
  </DocsPopover>
)

const actionWords: Readonly<Record<ScheduleAction, string>> = {
  snapshot_disk: 'Take snapshots of',
  snapshot_instance: 'Take snapshots of',
  back_up: 'Back up',
  stop: 'Stop',
  start: 'Start',
}

/** What it does to which objects: `Stop 3 instances`, `Start instances that match tag:env=test`. */
export function scheduleText({
  action,
  objects,
  filter,
}: Pick<Schedule, 'action' | 'objects' | 'filter'>): string {
  const noun = actedOn[action]
  const [first] = objects ?? []
  if (objects?.length === 1 && first) return `${actionWords[action]} ${noun} ${first.name ?? '(deleted)'}`
  if (objects) return `${actionWords[action]} ${objects.length} ${plural(noun, objects.length)}`
  return filter === ''
    ? `${actionWords[action]} all ${noun}s`
    : `${actionWords[action]} ${noun}s that match ${filter ?? ''}`
}

const runWords: Record<Run['state'], { family: StateFamily; text: string }> = {
  running: { family: 'busy', text: 'Running' },
  done: { family: 'ok', text: 'Done' },
  failed: { family: 'fail', text: 'Failed' },
  missed: { family: 'care', text: 'Missed' },
}

export function RunPlate({ state }: Pick<Run, 'state'>) {
  const { family, text } = runWords[state]
  return <StatePlate family={family}>{text}</StatePlate>
}

/** A time as the clocks of a zone show it, which may not be the user's. */
export function ZonedTime({ value, zone }: { value: Date | string; zone: string }) {
  const date = new Date(value)
  const text = new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(date)
  return <time dateTime={date.toISOString()}>{text}</time>
}
