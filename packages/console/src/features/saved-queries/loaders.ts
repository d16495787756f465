import type { Loading } from '#/data/loading.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { savedQueries, savedQueryHistory, savedQueryView } from './queries.ts'

/* Shared by the routes of a project's and of the fleet's saved queries. */

interface Visit {
  context: Loading
  params: { project?: string }
}

export const loadSavedQueries = (visit: Visit & Parameters<typeof loadList>[0]): Promise<void> =>
  loadList(visit, savedQueries(visit.params.project))

export const loadSavedQuery = ({
  context,
  params: { project, query },
}: Visit & { params: { query: string } }): Promise<void> =>
  context.prefetch(savedQueryView(project, query), savedQueryHistory(project, query))

export const renewSavedQuery = ({
  context,
  params: { project, query },
}: Visit & { params: { query: string } }): Promise<void> => context.renew(savedQueryView(project, query))
