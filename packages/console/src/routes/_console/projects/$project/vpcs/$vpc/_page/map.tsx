import { isTransitioning } from '@gantry/api/compute/instance.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { allInstances, type Instance } from '#/features/instances/queries.ts'
import { mapOf } from '#/features/vpcs/map/model.ts'
import { allGateways, allRouters, allSubnets, interfacesOf, routesOf } from '#/features/vpcs/queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const loading = <Skeleton className="h-60 w-full" />
const MapDrawing = lazyPart(() => import('#/features/vpcs/map/MapDrawing.tsx'), 'MapDrawing', loading)
const MapTables = lazyPart(() => import('#/features/vpcs/map/MapTables.tsx'), 'MapTables')

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/map')({
  validateSearch: ({ view }: Record<string, unknown>): { view?: 'table' } =>
    view === 'table' ? { view } : {},
  loader: ({ context, params: { project, vpc } }) => {
    // Beside the data that it draws.
    void MapDrawing.prefetch()
    return context.prefetch(
      allSubnets(project, vpc),
      allRouters(project, vpc),
      allGateways(project, vpc),
      allInstances(project),
    )
  },
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

type View = 'drawing' | 'table'

interface Props {
  project: string
  vpc: string
  view: View
  onView: (view: View) => void
}

const views: readonly { value: View; label: string }[] = [
  { value: 'drawing', label: 'Drawing' },
  { value: 'table', label: 'Table' },
]

const poll = pollWhile<Instance>(({ runState }) => isTransitioning(runState))

/** A VPC's resources and routes, as a picture or as tables. */
function VpcMap({ project, vpc, view, onView }: Props) {
  const polls = usePolling(1) !== false
  const { data: subnets } = useSuspenseQuery(allSubnets(project, vpc))
  const { data: routers } = useSuspenseQuery(allRouters(project, vpc))
  const { data: gateways } = useSuspenseQuery(allGateways(project, vpc))
  const { data: instances } = useSuspenseQuery({
    ...allInstances(project),
    refetchInterval: ({ state }) => polls && poll(state.data ?? []),
  })
  const routes = useQuery(routesOf(routers))
  const interfaces = useQuery(interfacesOf(subnets))
  const map = useMemo(
    () =>
      routes.data &&
      interfaces.data &&
      mapOf({ subnets, routers, gateways, instances, routes: routes.data, interfaces: interfaces.data }),
    [subnets, routers, gateways, instances, routes.data, interfaces.data],
  )
  const failed = [routes, interfaces].find(({ isError }) => isError)
  return (
    <>
      <TabHead actions={<Segmented label="View" options={views} value={view} onChange={onView} />}>
        Subnets with their instances, routers and route targets.
      </TabHead>
      {subnets.length === 0 && <Note className="mb-4">Instances need a subnet to connect to this VPC.</Note>}
      {failed?.error && <SectionError failure={failed.error} onRetry={() => void failed.refetch()} />}
      {!map && !failed && loading}
      {map && view === 'drawing' && <MapDrawing project={project} vpc={vpc} map={map} />}
      {map?.routers.some(({ through }) => through.length > 0) && view === 'drawing' && (
        <p className="mt-3 text-sm text-muted">A dashed line is a route through an instance in the subnet.</p>
      )}
      {map && view === 'table' && <MapTables project={project} vpc={vpc} map={map} />}
    </>
  )
}
