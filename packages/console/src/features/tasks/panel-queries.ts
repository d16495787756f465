import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'
import { hasTasks, ofOpen, openFilter } from './queries.ts'

/** Whose tasks, and where: in a project by name, or the fleet's own. */
export interface TaskScope {
  isMine: boolean
  place: { project: string } | 'everywhere' | 'system'
}

function tasksIn({ isMine, place }: TaskScope, filter: { state: 'open' | 'ended'; limit: number }) {
  const query = {
    ...filter,
    ...(isMine && { mine: true }),
    ...(typeof place === 'object' && place),
  }
  return place === 'system' ? opQuery(op.systemTaskList, { query: filter }) : opQuery(op.taskList, { query })
}

export const openTasks = (scope: TaskScope) => ({ ...tasksIn(scope, openFilter), ...ofOpen })

export const endedTasks = (scope: TaskScope, limit: number) => ({
  ...tasksIn(scope, { state: 'ended', limit }),
  enabled: hasTasks,
  placeholderData: keepPreviousData<OutputOf<'taskList'>>,
})

export const taskDetail = (taskId: string) => opQuery(op.taskView, { path: { taskId } })
