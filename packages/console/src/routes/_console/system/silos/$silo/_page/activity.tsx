import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ActivityTab } from '#/features/activity/tab.ts'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { siloView } from '#/features/silos/queries.ts'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/activity')({
  validateSearch: activitySearch,
  staticData: { crumb: { label: 'Activity', to: '/system/silos/$silo/activity' } },
  component: SiloActivity,
})

function SiloActivity() {
  const { data } = useSuspenseQuery(siloView(Route.useParams().silo))
  return <ActivityTab scope={{ ...fleetScope, object: data.id }} search={Route.useSearch()} />
}
