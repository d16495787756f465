import { createdColumn, descriptionColumn, plainNameColumn } from '#/features/common/columns.tsx'
import type { Column } from '#/ui/column.ts'
import { Figure, Memory, Size } from '#/ui/Figures.tsx'
import type { SiloProject } from '../queries.ts'

/** The use of each project. */
export const projectColumns: Column<SiloProject>[] = [
  plainNameColumn<SiloProject>(),
  descriptionColumn<SiloProject>(),
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    isLabelled: true,
    cell: ({ instanceCount }) => <Figure value={instanceCount} />,
  },
  {
    id: 'cpus',
    header: 'CPU',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Figure value={provisioned.cpus} unit="vCPU" />,
  },
  {
    id: 'memory',
    header: 'Memory',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Memory bytes={provisioned.memory} />,
  },
  {
    id: 'storage',
    header: 'Storage',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Size bytes={provisioned.storage} />,
  },
  createdColumn<SiloProject>(),
]
