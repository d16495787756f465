import { Figure, Size } from '../../../ui/Figures.tsx'
import { formatNumber, plural } from '../../../ui/format.ts'
import type { Column } from '../../../ui/Table.tsx'
import { createdColumn, nameColumn } from '../../common/columns.tsx'
import { type Sort, sortOf } from '../../common/list/find.ts'
import { selectColumn } from '../../common/list/SelectBoxes.tsx'
import type { Selection } from '../../common/list/selection.ts'
import { sortable } from '../../common/list/SortHead.tsx'
import { type Instance, instancePaths } from '../queries.ts'
import { StateWithReason } from './StateWithReason.tsx'

interface Options {
  project: string
  selection: Selection
  /** The `sort` of the URL. */
  sort: string | undefined
  /** Absent where the server cannot sort. */
  onSort: ((sort: Sort) => void) | undefined
}

export function instanceColumns({ project, selection, sort, onSort }: Options): Column<Instance>[] {
  const sorted = sortOf({ sort })
  const sorting = (key: Sort['key'], column: Column<Instance>): Column<Instance> =>
    onSort ? sortable(column, key, sorted, onSort) : column
  return [
    selectColumn<Instance>(selection),
    sorting(
      'name',
      nameColumn<Instance>(({ name }) => instancePaths.storage(project, name)),
    ),
    {
      id: 'cpu',
      header: 'CPU',
      align: 'right',
      width: '12%',
      cell: ({ ncpus }) => <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />,
    },
    {
      id: 'memory',
      header: 'Memory',
      align: 'right',
      width: '12%',
      cell: ({ memory }) => <Size bytes={memory} />,
    },
    sorting('state', {
      id: 'state',
      header: 'State',
      part: 'state',
      // Wide enough for every state, so that nothing moves when one changes.
      width: '24%',
      cell: (instance) => <StateWithReason instance={instance} />,
    }),
    sorting('created', createdColumn<Instance>()),
  ]
}
