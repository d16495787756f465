import { createFileRoute } from '@tanstack/react-router'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { savedQueryCrumbs } from '#/features/saved-queries/crumbs.ts'
import { loadSavedQueries } from '#/features/saved-queries/loaders.ts'
import { SavedQueryList } from '#/features/saved-queries/SavedQueryList.tsx'

export const Route = createFileRoute('/_console/system/_saved-queries')({
  validateSearch: pageSearch,
  loader: (visit) => loadSavedQueries(visit),
  staticData: { crumb: savedQueryCrumbs('/system') },
  component: SavedQueryList,
})
