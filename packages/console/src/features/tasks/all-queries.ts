import * as op from '@gantry/api/client/operations.gen'
import { taskFilters, taskKinds } from '@gantry/api/history/task-kinds.rules'
import { type ListQuery, listQuery } from '#/data/queries.ts'
import type { TasksSearch } from './tasks-search.ts'

/** Unknown words of the URL narrow nothing. */
export function allTasks(search: TasksSearch): ListQuery<'taskList' | 'systemTaskList'> {
  const state = taskFilters.find((one) => one === search.state)
  const kind = taskKinds.find((one) => one === search.kind)
  const filter = { ...(state && { state }), ...(kind && { kind }) }
  if (search.whose === 'fleet') return listQuery(op.systemTaskList, { query: filter })
  return listQuery(op.taskList, { query: { ...(search.whose !== 'all' && { mine: true }), ...filter } })
}
