import { createFileRoute, Outlet } from '@tanstack/react-router'
import { savedQueryHistory, savedQueryView } from '#/features/saved-queries/queries.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/saved-queries/$query')({
  loader: ({ context, params: { project, query } }) =>
    context.prefetch(savedQueryView(project, query), savedQueryHistory(project, query)),
  staticData: {
    crumb: [
      { label: 'Metrics', to: '/projects/$project/metrics' },
      { label: 'Saved Queries', to: '/projects/$project/saved-queries' },
      { param: 'query', to: '/projects/$project/saved-queries/$query' },
    ],
  },
  component: SavedQuery,
})

function SavedQuery() {
  return (
    <>
      <SavedQueryPage {...Route.useParams()} />
      <Outlet />
    </>
  )
}
