import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#/features/activity/ActivityPage.tsx'
import { readActivity } from '#/features/activity/queries.ts'
import { activitySearch } from '#/features/activity/search.ts'

export const Route = createFileRoute('/_console/projects/$project/activity')({
  validateSearch: activitySearch,
  loader: ({ params: { project }, ...visit }) => readActivity(visit, { of: 'project', project }),
  staticData: { crumb: { label: 'Activity', to: '/projects/$project/activity' } },
  component: ProjectActivity,
})

function ProjectActivity() {
  const { project } = Route.useParams()
  return <ActivityPage scope={{ of: 'project', project }} search={Route.useSearch()} />
}
