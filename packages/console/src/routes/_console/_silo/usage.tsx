import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#/kit/list/use-list-page.ts'
import { usageReport } from '#/features/usage/queries.ts'
import { UsagePage } from '#/features/usage/UsagePage.tsx'

const search = texts('month', 'tag', 'silo')

export const Route = createFileRoute('/_console/_silo/usage')({
  validateSearch: search,
  loader: ({ context, location }) => context.tryPrefetch(usageReport(scope, search(location.search))),
  staticData: { crumb: { label: 'Use and cost', to: '/usage' } },
  component: Usage,
})

const scope = { of: 'silo' } as const

function Usage() {
  return <UsagePage scope={scope} search={Route.useSearch()} />
}
