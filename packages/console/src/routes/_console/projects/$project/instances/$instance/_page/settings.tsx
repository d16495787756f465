import { createFileRoute } from '@tanstack/react-router'
import { allAntiAffinityGroups, groupsOfInstance } from '#/features/affinity/queries.ts'
import { AutoRestartCard } from '#/features/instance-page/AutoRestartCard.tsx'
import { GroupsCard } from '#/features/instance-page/GroupsCard.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/settings')({
  loader: ({ context, params: { project, instance } }) =>
    context.prefetch(groupsOfInstance(project, instance), allAntiAffinityGroups(project)),
  staticData: { crumb: { label: 'Settings', to: '/projects/$project/instances/$instance/settings' } },
  component: Settings,
})

function Settings() {
  const params = Route.useParams()
  return (
    <div className="space-y-5">
      <GroupsCard {...params} />
      <AutoRestartCard {...params} />
    </div>
  )
}
