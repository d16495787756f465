import { roleOrder } from '@gantry/api/roles.rules'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { TabHead } from '#/features/common/TabHead.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { Tag } from '#/ui/Tag.tsx'
import type { Silo } from '../queries.ts'

/** The mappings of silo roles to fleet roles, one line each. */
export function FleetRoles({ silo }: { silo: Silo }) {
  const pairs = roleOrder.flatMap((role) =>
    (silo.mappedFleetRoles[role] ?? []).map((fleetRole) => ({ role, fleetRole })),
  )
  if (pairs.length === 0)
    return (
      <EmptyState title="Mapped fleet roles">
        Silo roles can grant roles on the fleet. This silo maps none. The mapping is set when a silo is
        created.
      </EmptyState>
    )
  return (
    <>
      <TabHead>Silo roles can automatically grant a role on the fleet.</TabHead>
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
