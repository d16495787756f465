import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { savedQueryCrumbs } from '#/features/saved-queries/crumbs.ts'
import { loadSavedQuery } from '#/features/saved-queries/loaders.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/saved-queries/$query')({
  validateSearch: withActivitySearch,
  loader: (visit) => loadSavedQuery(visit),
  staticData: {
    crumb: [
      ...savedQueryCrumbs('/projects/$project'),
      { param: 'query', to: '/projects/$project/saved-queries/$query' },
    ],
  },
  component: ProjectQuery,
})

function ProjectQuery() {
  const { project } = Route.useParams()
  return <SavedQueryPage scope={{ of: 'project', project }} asked={Route.useSearch()} />
}
