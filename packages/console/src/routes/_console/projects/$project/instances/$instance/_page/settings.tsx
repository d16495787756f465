// @chunk instance-settings: of one tab, which the other tabs of an instance do not need.
import { affinityFamilies } from '@gantry/api/compute/affinity.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { allGroups, groupsOfInstance } from '#/features/affinity/queries.ts'
import { AutoRestartCard } from '#/features/instances/page/AutoRestartCard.tsx'
import { instanceView } from '#/features/instances/queries.ts'
import { GroupsCard } from '#/features/instances/page/GroupsCard.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const CpuPlatformCard = lazyPart(
  () => import('#/features/instances/page/CpuPlatformCard.tsx'),
  'CpuPlatformCard',
)
const JumboFramesCard = lazyPart(
  () => import('#/features/instances/page/JumboFramesCard.tsx'),
  'JumboFramesCard',
)
const HardwareCard = lazyPart(() => import('#/features/instances/hardware/HardwareCard.tsx'), 'HardwareCard')
const SchedulesCard = lazyPart(() => import('#/features/schedules/SchedulesCard.tsx'), 'SchedulesCard')

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
  const { data: instance } = useSuspenseQuery(instanceView(params.project, params.instance))
  return (
    <div className="space-y-5">
      <GroupsCard family="anti-affinity" {...params} />
      <GroupsCard family="affinity" {...params} />
      <AutoRestartCard {...params} />
      {useHasExtensions() && <HardwareCard {...params} />}
      <CpuPlatformCard {...params} />
      <JumboFramesCard {...params} />
      <SchedulesCard project={params.project} object={instance.id} />
    </div>
  )
}
