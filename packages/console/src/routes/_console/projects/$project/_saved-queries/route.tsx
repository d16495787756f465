import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { savedQueries } from '#/features/saved-queries/queries.ts'
import { SavedQueryList } from '#/features/saved-queries/SavedQueryList.tsx'

export const Route = createFileRoute('/_console/projects/$project/_saved-queries')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, savedQueries(project)),
  staticData: {
    crumb: [
      { label: 'Metrics', to: '/projects/$project/metrics' },
      { label: 'Saved Queries', to: '/projects/$project/saved-queries' },
    ],
  },
  component: SavedQueries,
})

function SavedQueries() {
  return <SavedQueryList {...Route.useParams()} />
}
