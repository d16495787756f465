import { createFileRoute } from '@tanstack/react-router'
import { allInstances } from '#/features/instances/queries.ts'
import { VpcMap } from '#/features/vpcs/map/VpcMap.tsx'
import { allGateways, allRouters, allSubnets } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/map')({
  validateSearch: ({ view }: Record<string, unknown>): { view?: 'table' } =>
    view === 'table' ? { view } : {},
  loader: ({ context, params: { project, vpc } }) =>
    context.prefetch(
      allSubnets(project, vpc),
      allRouters(project, vpc),
      allGateways(project, vpc),
      allInstances(project),
    ),
  staticData: { crumb: { label: 'Map', to: '/projects/$project/vpcs/$vpc/map' } },
  component: MapTab,
})

function MapTab() {
  const { view = 'drawing' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <VpcMap
      {...Route.useParams()}
      view={view}
      onView={(next) =>
        void navigate({ search: next === 'table' ? { view: next } : {}, replace: true, resetScroll: false })
      }
    />
  )
}
