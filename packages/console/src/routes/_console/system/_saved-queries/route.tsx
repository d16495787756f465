import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { savedQueries } from '#/features/saved-queries/queries.ts'
import { SavedQueryList } from '#/features/saved-queries/SavedQueryList.tsx'

export const Route = createFileRoute('/_console/system/_saved-queries')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, savedQueries(undefined)),
  staticData: {
    crumb: [
      { label: 'Metrics', to: '/system/metrics' },
      { label: 'Saved Queries', to: '/system/saved-queries' },
    ],
  },
  component: SavedQueries,
})

function SavedQueries() {
  return <SavedQueryList />
}
