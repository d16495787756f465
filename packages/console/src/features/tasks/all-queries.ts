import * as op from '@gantry/api/client/operations.gen'
import { taskFilters, taskKinds } from '@gantry/api/history/task-kinds.rules'
import { type ListQuery, listQuery } from '#/data/queries.ts'
import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's search parameters of the page of all tasks. */
export interface TasksSearch {
  page?: string | undefined
  /** `all` for everybody's in the silo. */
  whose?: string | undefined
  state?: string | undefined
  kind?: string | undefined
}
export const tasksSearch: (search: Record<string, unknown>) => TasksSearch = texts(
  'page',
  'whose',
  'state',
  'kind',
)

/** Unknown words of the URL narrow nothing. */
export function allTasks(search: TasksSearch): ListQuery<'taskList'> {
  const state = taskFilters.find((one) => one === search.state)
  const kind = taskKinds.find((one) => one === search.kind)
  return listQuery(op.taskList, {
    query: { ...(search.whose !== 'all' && { mine: true }), ...(state && { state }), ...(kind && { kind }) },
  })
}
