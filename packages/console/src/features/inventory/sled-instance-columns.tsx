import { createdColumn } from '#/features/common/columns.tsx'
import { InstancePlate } from '#/features/instances/InstanceState.tsx'
import type { Column } from '#/ui/column.ts'
import { Figure, Memory } from '#/ui/Figures.tsx'
import { formatNumber, plural } from '#/ui/format.ts'
import type { SledInstance } from './queries.ts'
import { InstanceName } from './rack/InstanceName.tsx'

export const sledInstanceColumns: Column<SledInstance>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (instance) => (
      <InstanceName instance={instance}>
        <span className="block text-sm text-muted">
          {instance.siloName} / {instance.projectName}
        </span>
      </InstanceName>
    ),
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <InstancePlate state={state} /> },
  {
    id: 'specs',
    header: 'Specs',
    cell: ({ ncpus, memory }) => (
      <>
        <span className="block">
          <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />
        </span>
        <span className="block">
          <Memory bytes={memory} />
        </span>
      </>
    ),
  },
  createdColumn<SledInstance>(),
]
