import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#/features/activity/ActivityPage.tsx'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { readActivity } from '#/features/activity/queries.ts'
import { activitySearch } from '#/features/activity/search.ts'

export const Route = createFileRoute('/_console/system/activity')({
  validateSearch: activitySearch,
  loader: (visit) => readActivity(visit, fleetScope),
  staticData: { crumb: { label: 'Activity', to: '/system/activity' } },
  component: () => <ActivityPage scope={fleetScope} search={Route.useSearch()} />,
})
