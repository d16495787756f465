import { createFileRoute } from '@tanstack/react-router'
import { PastPage } from '#/features/past/PastPage.tsx'
import { momentOf, pastObjects, pastSearch } from '#/features/past/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/past')({
  validateSearch: pastSearch,
  // A refusal is shown on the page, where another moment can be selected.
  loader: async ({ context, params: { project }, location }) => {
    const search = pastSearch(location.search)
    const at = momentOf(search)
    if (at) await context.tryPrefetch(pastObjects(project, search, at).at(search.page))
  },
  staticData: { crumb: { label: 'At a moment', to: '/projects/$project/past' } },
  component: Past,
})

function Past() {
  return <PastPage {...Route.useParams()} search={Route.useSearch()} />
}
