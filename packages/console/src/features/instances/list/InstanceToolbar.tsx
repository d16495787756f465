import { useSyncExternalStore } from 'react'
import { filterOf } from '#/kit/list/filter/filter-of.ts'
import type { Selection } from '#/kit/list/selection.ts'
import { useFind } from '#/kit/list/use-find.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'
import { foundInstances } from './found-instances.ts'
import type { Instance } from '../queries.ts'

/* The list shows without them, and is not moved by them. */
const FilterBar = lazyPart(
  afterPaint(() => import('#/kit/list/filter/FilterBar.tsx')),
  'FilterBar',
  <div className="h-20" />,
)
const BulkBar = lazyPart(() => import('../bulk/BulkBar.tsx'), 'BulkBar')

interface Props {
  project: string
  selection: Selection
  rows: readonly Instance[]
  canFind: boolean
}

/** Filters and totals, or actions for the selected rows in their place. */
export function InstanceToolbar({ project, selection, rows, canFind }: Props) {
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const { search } = useFind()
  return (
    <div className="mb-3 min-h-control">
      {ids.length > 0 ? (
        <BulkBar
          project={project}
          list={foundInstances(project, search)}
          selection={selection}
          rows={rows}
          filter={canFind ? filterOf(search) : undefined}
        />
      ) : canFind ? (
        <FilterBar
          kind="instance"
          pluralNoun="instances"
          place={{ project }}
          name={`${project}-instances`}
          list={foundInstances(project, search)}
        />
      ) : null}
    </div>
  )
}
