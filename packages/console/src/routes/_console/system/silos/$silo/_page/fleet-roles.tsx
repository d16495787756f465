import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { siloView } from '#/features/silos/queries.ts'
import { FleetRoles } from '#/features/silos/tabs/FleetRoles.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/fleet-roles')({
  staticData: { crumb: { label: 'Fleet roles', to: '/system/silos/$silo/fleet-roles' } },
  component: Tab,
})

function Tab() {
  const { data: silo } = useSuspenseQuery(siloView(Route.useParams().silo))
  return <FleetRoles silo={silo} />
}
