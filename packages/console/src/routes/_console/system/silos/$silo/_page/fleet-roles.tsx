import { type FleetRoleName, roleOrder } from '@gantry/api/base/roles.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { type Silo, siloView } from '#/features/silos/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/fleet-roles')({
  staticData: { crumb: { label: 'Fleet roles', to: '/system/silos/$silo/fleet-roles' } },
  component: Tab,
})

function Tab() {
  const { data: silo } = useSuspenseQuery(siloView(Route.useParams().silo))
  return <FleetRoles silo={silo} />
}

/** The mappings of silo roles to fleet roles, one line each. */
function FleetRoles({ silo }: { silo: Silo }) {
  // Keyed by roles, which are data and keep their names.
  const mapped: Partial<Record<string, readonly FleetRoleName[]>> = silo.mappedFleetRoles
  const pairs = roleOrder.flatMap((role) => (mapped[role] ?? []).map((fleetRole) => ({ role, fleetRole })))
  if (pairs.length === 0)
    return (
      <EmptyState title="Mapped fleet roles">
        Silo roles can grant fleet roles. This silo maps none. The mapping is set when a silo is created.
      </EmptyState>
    )
  return (
    <>
      <TabHead>Silo roles can automatically grant a fleet role.</TabHead>
      <ul className="space-y-2">
        {pairs.map(({ role, fleetRole }) => (
          <li key={`${role} ${fleetRole}`} className="flex items-center gap-2">
            <Tag>Silo {sentenceCase(role).toLowerCase()}</Tag>
            <ArrowRight role="img" aria-label="maps to" strokeWidth={1.75} className="size-4 text-muted" />
            <Tag>Fleet {sentenceCase(fleetRole).toLowerCase()}</Tag>
          </li>
        ))}
      </ul>
    </>
  )
}
