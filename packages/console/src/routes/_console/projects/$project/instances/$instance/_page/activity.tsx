import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ActivityTab } from '#/features/activity/tab.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { instanceView } from '#/features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/activity')({
  validateSearch: activitySearch,
  staticData: { crumb: { label: 'Activity', to: '/projects/$project/instances/$instance/activity' } },
  component: InstanceActivity,
})

function InstanceActivity() {
  const { project, instance } = Route.useParams()
  const { data } = useSuspenseQuery(instanceView(project, instance))
  return <ActivityTab scope={{ of: 'project', project, object: data.id }} search={Route.useSearch()} />
}
