import { createdColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { Column } from '#/ui/data/column.ts'
import { DiskState } from '#/features/disks/DiskState.tsx'
import type { Disk } from '#/features/disks/queries.ts'

/** Of disks on the page of what they were made of. */
export const diskColumns = (
  linkOf: (disk: Disk) => LinkTarget,
  ...more: readonly Column<Disk>[]
): Column<Disk>[] => [
  nameColumn<Disk>(linkOf),
  ...more,
  { id: 'state', header: 'State', part: 'state', cell: (disk) => <DiskState disk={disk} /> },
  sizeColumn<Disk>(),
  createdColumn<Disk>(),
]
