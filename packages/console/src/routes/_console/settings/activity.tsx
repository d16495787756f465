import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#/features/activity/ActivityPage.tsx'
import { readActivity } from '#/features/activity/queries.ts'
import { activitySearch } from '#/features/activity/search.ts'

export const Route = createFileRoute('/_console/settings/activity')({
  validateSearch: activitySearch,
  loader: (visit) => readActivity(visit, { of: 'me' }),
  staticData: { crumb: { label: 'My activity', to: '/settings/activity' } },
  component: () => <ActivityPage scope={{ of: 'me' }} search={Route.useSearch()} />,
})
