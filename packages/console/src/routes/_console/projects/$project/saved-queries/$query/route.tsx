import { createFileRoute } from '@tanstack/react-router'
import { savedQueryCrumbs } from '#/features/saved-queries/crumbs.ts'
import { loadSavedQuery } from '#/features/saved-queries/loaders.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/saved-queries/$query')({
  loader: (visit) => loadSavedQuery(visit),
  staticData: {
    crumb: [
      ...savedQueryCrumbs('/projects/$project'),
      { param: 'query', to: '/projects/$project/saved-queries/$query' },
    ],
  },
  component: SavedQueryPage,
})
