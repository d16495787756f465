import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ActivityTab } from '#/features/activity/tab.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { vpcView } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/activity')({
  validateSearch: activitySearch,
  staticData: { crumb: { label: 'Activity', to: '/projects/$project/vpcs/$vpc/activity' } },
  component: VpcActivity,
})

function VpcActivity() {
  const { project, vpc } = Route.useParams()
  const { data } = useSuspenseQuery(vpcView(project, vpc))
  return <ActivityTab scope={{ of: 'project', project, object: data.id }} search={Route.useSearch()} />
}
