import { createFileRoute, Outlet } from '@tanstack/react-router'
import { savedQueryHistory, savedQueryView } from '#/features/saved-queries/queries.ts'
import { SavedQueryPage } from '#/features/saved-queries/SavedQueryPage.tsx'

export const Route = createFileRoute('/_console/system/saved-queries/$query')({
  loader: ({ context, params: { query } }) =>
    context.prefetch(savedQueryView(undefined, query), savedQueryHistory(undefined, query)),
  staticData: {
    crumb: [
      { label: 'Metrics', to: '/system/metrics' },
      { label: 'Saved Queries', to: '/system/saved-queries' },
      { param: 'query', to: '/system/saved-queries/$query' },
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
