import type { OutputOf } from '@gantry/api/client/client'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { SiloName } from '../ObjectName.tsx'
import { roleText } from '#/features/access/role-words.tsx'

type Mapping = OutputOf<'fleetAccessView'>['mappings'][number]

const columns: Column<Mapping>[] = [
  {
    id: 'name',
    header: 'Name',
    width: '45%',
    cell: ({ silo, siloRole }) => (
      <>
        Any <Tag>{roleText('silo', siloRole)}</Tag> in <SiloName {...silo} />
      </>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    part: 'meta',
    cell: () => <Term tip="From the silo's setting mapped_fleet_roles.">Role mapping</Term>,
  },
  {
    id: 'role',
    header: 'Fleet role',
    part: 'state',
    cell: ({ fleetRole }) => <Tag>{roleText('fleet', fleetRole)}</Tag>,
  },
]

const keyOf = ({ silo, siloRole, fleetRole }: Mapping): string => `${silo.id} ${siloRole} ${fleetRole}`

/** Silo roles that map to a fleet role. */
export function FleetMappings({ mappings }: { mappings: readonly Mapping[] }) {
  return (
    <Card title="Role mappings" description="Silos whose roles grant a fleet role." flush>
      <Table
        inset
        label="Role mappings"
        columns={columns}
        rows={mappings}
        rowKey={keyOf}
        empty={<CardEmpty title="No role mappings">No silo maps its roles to fleet roles.</CardEmpty>}
      />
    </Card>
  )
}
