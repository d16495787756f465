import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { InstanceEvent } from '@gantry/api/compute/instance-change.rules'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { formatMemory, plural } from '#/ui/data/format.ts'
import type { ChartMark } from '#/ui/chart/chart.ts'
import type { TimeRange } from './time-range.ts'

type InstanceChange = OutputOf<'instanceChangeList'>['items'][number]

export const maxMarks = 200
/** A sliding range reads from the start of the hour, so that its query key changes once an hour. */
const hour = 3600

/** Events of an instance, for the time axes of its charts. None on servers without the operation. */
export function useInstanceMarks(project: string, instance: string, { preset, start, end }: TimeRange) {
  const from = preset === undefined ? start : Math.floor(start / hour) * hour
  const { data, error, refetch } = useQuery({
    ...opQuery(op.instanceChangeList, {
      path: { instance },
      query: {
        project,
        limit: maxMarks,
        startTime: dateOf(from),
        // A window excludes its end; a chart includes it.
        ...(preset === undefined && { endTime: dateOf(end + 1) }),
      },
    }),
    placeholderData: (previous, before) => (isOf(before?.queryKey, instance) ? previous : undefined),
  })
  const marks = useMemo(() => data?.items.map(markOf) ?? [], [data])
  return {
    marks,
    areAll: marks.length < maxMarks,
    failure: isAbsent(op.instanceChangeList) ? undefined : (error ?? undefined),
    retry: () => void refetch(),
  }
}

/** Keeps the marks until the next ones arrive, but never on charts of another instance. */
const isOf = (key: QueryKey | undefined, instance: string): boolean =>
  (key?.[1] as { path?: { instance?: string } } | undefined)?.path?.instance === instance

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

export const markOf = (change: InstanceChange): ChartMark => ({
  time: change.time.getTime() / 1000,
  label: labelOf(change),
})

const words: Record<InstanceEvent, string> = {
  created: 'Created',
  started: 'Started',
  stopped: 'Stopped',
  rebooted: 'Rebooted',
  restarted: 'Restarted automatically',
  failed: 'Failed',
  migrated: 'Migrated',
  resized: 'Resized',
  disk_attached: 'Attached disk',
  disk_detached: 'Detached disk',
  nic_added: 'Added network interface',
  nic_removed: 'Removed network interface',
  address_attached: 'Attached external IP',
  address_detached: 'Detached external IP',
}

function labelOf({ event, object, resize }: InstanceChange): string {
  const happened = words[event]
  if (resize) return `${happened} from ${sizeText(resize.before)} to ${sizeText(resize.after)}`
  return object ? `${happened} ${object.name}` : happened
}

const sizeText = ({ ncpus, memory }: { ncpus: number; memory: number }): string =>
  `${ncpus} ${plural('vCPU', ncpus)}, ${formatMemory(memory)}`
