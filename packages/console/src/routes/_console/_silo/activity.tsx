import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { canQuery } from '#/data/permissions.ts'
import { ActivityPage } from '#/features/activity/ActivityPage.tsx'
import { activitySearch } from '#/features/activity/search.ts'

const mayList = { action: 'list_children', object: 'silo' } as const

export const Route = createFileRoute('/_console/_silo/activity')({
  validateSearch: activitySearch,
  loader: ({ context }) => context.prefetch(canQuery(mayList)),
  staticData: { crumb: { label: 'Activity', to: '/activity' } },
  component: SiloActivity,
})

/** Without a role on the silo, a person sees in it what they did themselves. */
function SiloActivity() {
  const { data } = useQuery(canQuery(mayList))
  return <ActivityPage scope={{ of: data?.allowed === false ? 'me' : 'silo' }} search={Route.useSearch()} />
}
