import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#/kit/list/use-list-page.ts'
import { usageReport } from '#/features/usage/queries.ts'
import { UsagePage } from '#/features/usage/UsagePage.tsx'

const search = texts('month', 'tag', 'silo')

export const Route = createFileRoute('/_console/projects/$project/usage')({
  validateSearch: search,
  loader: ({ context, location, params }) =>
    context.tryPrefetch(usageReport({ of: 'project', project: params.project }, search(location.search))),
  staticData: { crumb: { label: 'Use and cost', to: '/projects/$project/usage' } },
  component: Usage,
})

function Usage() {
  const { project } = Route.useParams()
  return <UsagePage scope={{ of: 'project', project }} search={Route.useSearch()} />
}
