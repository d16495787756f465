import type { OutputOf } from '@gantry/api/client/client'
import { CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { SourceTags } from '#/features/people/columns.tsx'
import { SiloName } from '../ObjectName.tsx'
import { fleetUsers, policyPollMs } from '#/features/access/queries.ts'

type FleetUser = OutputOf<'fleetUserList'>['items'][number]

const columns: Column<FleetUser>[] = [
  {
    id: 'name',
    header: 'User',
    width: '45%',
    cell: ({ displayName }) => <span className="font-medium text-strong">{displayName}</span>,
  },
  {
    id: 'silo',
    header: 'Silo',
    part: 'meta',
    cell: ({ siloId, siloName }) => <SiloName id={siloId} name={siloName} />,
  },
  {
    id: 'role',
    header: 'Effective role',
    part: 'state',
    cell: ({ fleet, siloName }) => <SourceTags level="fleet" role={fleet} names={{ silo: siloName }} />,
  },
]

/** All users with a fleet role, and where each role comes from. */
export function FleetUsers() {
  const list = useListPage(fleetUsers, { poll: () => policyPollMs })
  return (
    <section aria-labelledby="fleet-users">
      <h2 id="fleet-users" className="mb-2 text-md">
        Users with a fleet role
      </h2>
      <ResourceTable
        label="Users with a fleet role"
        list={list}
        columns={columns}
        empty={<CardEmpty title="No users">No user has a fleet role.</CardEmpty>}
      />
    </section>
  )
}
