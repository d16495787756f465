import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's search parameters of the page of all tasks. */
export interface TasksSearch {
  page?: string | undefined
  /** `all` for everybody's in the silo, `fleet` for those of what belongs to no silo. */
  whose?: string | undefined
  state?: string | undefined
  kind?: string | undefined
}
/** Apart from the queries: every page reads how its URL is written. */
export const tasksSearch: (search: Record<string, unknown>) => TasksSearch = texts(
  'page',
  'whose',
  'state',
  'kind',
)
