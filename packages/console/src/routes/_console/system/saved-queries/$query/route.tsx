import { createFileRoute } from '@tanstack/react-router'
import { loadSavedQuery, savedQueryCrumbs } from '#/features/saved-queries/route-parts.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/system/saved-queries/$query')({
  loader: (visit) => loadSavedQuery(visit),
  staticData: {
    crumb: [...savedQueryCrumbs('/system'), { param: 'query', to: '/system/saved-queries/$query' }],
  },
  component: SavedQueryPage,
})
