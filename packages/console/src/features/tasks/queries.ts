import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'

/* Every page has the button, so this names no operation of the fleet, whose code only its pages load. */

type Tasks = OutputOf<'taskList'>
export type Task = Tasks['items'][number]

export const hasTasks = (): boolean => !isAbsent(op.taskList)

/** Open tasks advance on their own, also in projects that the stream of changes does not cover. */
const openMs = 2000
const quietMs = 20_000
/** As many as the server answers with at once. */
const maxOpen = 100

export const openFilter = { state: 'open', limit: maxOpen } as const

/** How a list of open tasks is kept up to date. */
export const ofOpen = {
  enabled: hasTasks,
  placeholderData: keepPreviousData<Tasks>,
  refetchInterval: ({ state }: { state: { data?: Tasks | undefined } }) =>
    (state.data?.items.length ?? 0) > 0 ? openMs : quietMs,
}

export const myOpenTasks = { ...opQuery(op.taskList, { query: { ...openFilter, mine: true } }), ...ofOpen }
