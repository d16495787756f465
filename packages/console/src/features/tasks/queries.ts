import type { OpRef, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { useLiveState } from '#/data/live.ts'
import { opQuery } from '#/data/queries.ts'

/* Every page has the button, so this names no operation of the fleet, whose code only its pages load. */

type Tasks = OutputOf<'taskList'>
export type Task = Tasks['items'][number]

export const hasTasks = (): boolean => !isAbsent(op.taskList)

/** Without the stream of changes, how often lists are read while tasks are open, and otherwise. */
const openMs = 2000
const quietMs = 20_000
/** As many as the server answers with at once. */
const maxOpen = 100

export const openFilter = { state: 'open', limit: maxOpen } as const

export const ofOpen = { enabled: hasTasks, placeholderData: keepPreviousData<Tasks> }

/** Only news for the user: other changes on a page do not concern the button. */
export const myOpenTasks = {
  ...opQuery(op.taskList, { query: { ...openFilter, mine: true } }),
  ...ofOpen,
  meta: { reads: ['task'] },
} satisfies { meta: Pick<OpRef, 'reads'> }

/** What advances without a change that the stream could tell of: bytes, and updates of the fleet. */
const advancesSilently = ({ kind, progress }: Task): boolean =>
  progress?.unit === 'bytes' || progress?.unit === 'percent' || kind === 'target-release' || kind === 'sled'

/**
 * How a list of open tasks is kept up to date. The stream tells of what begins, advances and ends; what advances silently
 * is read as often as it is shown.
 */
export function useTasksInterval(shown: 'counted' | 'in full') {
  const isLive = useLiveState() === 'live'
  return ({ state }: { state: { data?: Tasks | undefined } }): number | false => {
    const items = state.data?.items ?? []
    if (!isLive) return items.length > 0 ? openMs : quietMs
    if (!items.some(advancesSilently)) return false
    return shown === 'in full' ? openMs : quietMs
  }
}
