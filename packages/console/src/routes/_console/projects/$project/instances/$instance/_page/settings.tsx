import { affinityFamilies } from '@gantry/api/compute/affinity.rules'
import { createFileRoute } from '@tanstack/react-router'
import { allGroups, groupsOfInstance } from '#/features/affinity/queries.ts'
import { AutoRestartCard } from '#/features/instances/page/AutoRestartCard.tsx'
import { GroupsCard } from '#/features/instances/page/GroupsCard.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/settings')({
  loader: ({ context, params: { project, instance } }) =>
    context.prefetch(
      ...affinityFamilies.flatMap((family) => [
        groupsOfInstance(family, project, instance),
        allGroups(family, project),
      ]),
    ),
  staticData: { crumb: { label: 'Settings', to: '/projects/$project/instances/$instance/settings' } },
  component: Settings,
})

function Settings() {
  const params = Route.useParams()
  return (
    <div className="space-y-5">
      <GroupsCard family="anti-affinity" {...params} />
      <GroupsCard family="affinity" {...params} />
      <AutoRestartCard {...params} />
    </div>
  )
}
