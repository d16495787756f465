import { createFileRoute } from '@tanstack/react-router'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { savedQueryCrumbs } from '#/features/saved-queries/crumbs.ts'
import { loadSavedQuery } from '#/features/saved-queries/loaders.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/system/saved-queries/$query')({
  validateSearch: withActivitySearch,
  loader: (visit) => loadSavedQuery(visit),
  staticData: {
    crumb: [...savedQueryCrumbs('/system'), { param: 'query', to: '/system/saved-queries/$query' }],
  },
  component: SystemQuery,
})

function SystemQuery() {
  return <SavedQueryPage scope={fleetScope} asked={Route.useSearch()} />
}
