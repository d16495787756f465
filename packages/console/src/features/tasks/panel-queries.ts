import type { OutputOf } from '@gantry/api/client/client'
import type { taskObjectKinds } from '@gantry/api/history/task-kinds.rules'
import type { OpName } from '@gantry/api/registry'
import * as op from '@gantry/api/client/operations.gen'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Failure } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import { hasTasks, ofOpen, openFilter } from './queries.ts'

type Tasks = OutputOf<'taskList'>
type ObjectKind = (typeof taskObjectKinds)[number]

/** Whose tasks, and where: in a project by name, or the fleet's own. */
export interface TaskScope {
  isMine: boolean
  /** Only what one object of the project takes part in. */
  object?: { objectKind: ObjectKind; object: string }
  place: { project: string } | 'everywhere' | 'system'
}

function tasksIn({ isMine, place, object }: TaskScope, filter: { state: 'open' | 'ended'; limit: number }) {
  const query = {
    ...filter,
    ...(isMine && { mine: true }),
    ...(typeof place === 'object' && place),
    ...object,
  }
  return place === 'system' ? opQuery(op.systemTaskList, { query: filter }) : opQuery(op.taskList, { query })
}

export const openTasks = (scope: TaskScope) => ({ ...tasksIn(scope, openFilter), ...ofOpen })

/** What begins and ends work that is no state of its object. */
const reads = [
  'task',
  'deletion',
  'instance-action',
  'restoration',
  'instance-restore',
  'schedule-run',
] as const

/** Those of a page, which has no use for news of every object. Under a key of its own, because what is read again depends on it. */
export function pageTasks(scope: TaskScope) {
  const { queryKey, queryFn } = openTasks(scope)
  const [name, input] = queryKey
  return queryOptions<Tasks, Failure, Tasks, [OpName, unknown]>({
    queryKey: [name, { ...(input as object), of: 'page' }],
    ...(queryFn && { queryFn }),
    meta: { reads },
  })
}

export const endedTasks = (scope: TaskScope, limit: number) => ({
  ...tasksIn(scope, { state: 'ended', limit }),
  enabled: hasTasks,
  placeholderData: keepPreviousData<Tasks>,
})

export const taskDetail = (taskId: string) => opQuery(op.taskView, { path: { taskId } })
