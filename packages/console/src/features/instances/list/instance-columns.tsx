import { protectedName } from '#/features/protection/protected-name.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { type Sort, sortOf } from '#/kit/list/find.ts'
import { selectColumn } from '#/kit/list/SelectBoxes.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { sortable } from '#/kit/list/SortHead.tsx'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import type { Column } from '#/ui/data/column.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { InstancePlate, InstanceState, TimeInState } from '../parts.tsx'
import { instanceLink } from '../links.ts'
import { type Instance } from '../queries.ts'

/* Most lists never show it. */
const CpuUseCell = lazyPart(() => import('./CpuUse.tsx'), 'CpuUseCell')

interface Options {
  project: string
  selection: Selection
  /** The URL's `sort`. */
  sort: string | undefined
  /** Absent if the server cannot sort. */
  onSort: ((sort: Sort) => void) | undefined
  /** The page's rows while the column of CPU use is shown, so that columns do not change with other rows. */
  cpuRows: readonly Instance[]
}

export function instanceColumns({ project, selection, sort, onSort, cpuRows }: Options): Column<Instance>[] {
  const sorted = sortOf({ sort })
  const sorting = (key: Sort['key'], column: Column<Instance>): Column<Instance> =>
    onSort ? sortable(column, key, sorted, onSort) : column
  return [
    selectColumn<Instance>(selection),
    sorting(
      'name',
      taggedName(
        'instance',
        protectedName(
          nameColumn<Instance>(({ name }) => instanceLink(project, name)),
          project,
        ),
        project,
      ),
    ),
    sorting('cpu', {
      id: 'cpu',
      header: 'CPU',
      align: 'right',
      width: '12%',
      cell: ({ ncpus }) => <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />,
    }),
    {
      id: 'cpu-use',
      header: 'CPU use',
      isOptional: true,
      width: '10.5rem',
      isLabelled: true,
      cell: ({ id }) => <CpuUseCell project={project} rows={cpuRows} id={id} />,
    },
    sorting('memory', {
      id: 'memory',
      header: 'Memory',
      align: 'right',
      width: '12%',
      cell: ({ memory }) => <Memory bytes={memory} />,
    }),
    sorting('state', {
      id: 'state',
      header: 'State',
      part: 'state',
      // Wide enough for every state, so that a change moves nothing.
      width: '24%',
      cell: (instance) => <StateCell instance={instance} />,
    }),
    sorting('created', { ...createdColumn<Instance>(), width: '11rem' }),
  ]
}

function StateCell({ instance }: { instance: Instance }) {
  const { runState, failure } = instance
  if (!failure) return <InstanceState instance={instance} />
  return (
    <span className="inline-flex items-center gap-2">
      <StateWithReason failure={failure}>
        <InstancePlate state={runState} />
      </StateWithReason>
      <TimeInState instance={instance} />
    </span>
  )
}
