import * as op from '@gantry/api/client/operations.gen'
import { runStates } from '@gantry/api/instance.rules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { isAbsent } from '../../../data/extensions.ts'
import { opQuery } from '../../../data/queries.ts'
import type { Column } from '../../../ui/Table.tsx'
import { FilterBar } from '../../common/list/FilterBar.tsx'
import { sortOf, sortWord } from '../../common/list/find.ts'
import { NothingMatches } from '../../common/list/NothingMatches.tsx'
import { selectColumn } from '../../common/list/SelectBoxes.tsx'
import { createSelection } from '../../common/list/selection.ts'
import { sortable } from '../../common/list/SortHead.tsx'
import { useFind } from '../../common/list/use-find.ts'
import { StateWithReason } from './StateWithReason.tsx'
import { BulkBar } from '../bulk/BulkBar.tsx'
import { BulkRuns } from '../bulk/BulkRuns.tsx'
import type { Instance } from '../queries.ts'

interface Props {
  project: string
  rows: readonly Instance[]
  columns: readonly Column<Instance>[]
  offer: (columns: readonly Column<Instance>[]) => void
}

/** A failed one says why, with the numbers and what to do; all of it is on its page. */
const stateCell = (instance: Instance): ReactNode => <StateWithReason instance={instance} />

/** States that an instance in a list can have. */
const states = runStates.filter((state) => state !== 'destroyed')
const sorts: Record<string, 'name' | 'state' | 'created'> = {
  name: 'name',
  state: 'state',
  created: 'created',
}

/** What the list can do beside showing itself. It comes after the first rows, into room that was kept for it. */
export function InstanceTools({ project, rows, columns, offer }: Props) {
  const [selection] = useState(createSelection)
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const canFind = useCanFind(project)
  const { search, find } = useFind()
  const word = search.sort
  const isEmpty = rows.length === 0
  const isFinding = Object.keys(search).length > 0

  useLayoutEffect(() => selection.show(rows.map(({ id }) => id)), [selection, rows])

  const furnished = useMemo(() => {
    const now = sortOf({ sort: word })
    return columns.map((column) => {
      if (column.part === 'select') return selectColumn<Instance>(selection)
      if (column.id === 'state') column = { ...column, cell: stateCell }
      const key = sorts[column.id]
      return key && canFind ? sortable(column, key, now, (sort) => find({ sort: sortWord(sort) })) : column
    })
  }, [columns, selection, canFind, word, find])
  useLayoutEffect(() => offer(furnished), [offer, furnished])

  return (
    <>
      {ids.length > 0 ? (
        <BulkBar project={project} selection={selection} rows={rows} />
      ) : (
        canFind && (isFinding || !isEmpty) && <FilterBar things="instances" states={states} />
      )}
      {isFinding && isEmpty && <NothingMatches />}
      <BulkRuns project={project} />
    </>
  )
}

/** One row is asked for, to learn whether the server can sort and filter at all. */
function useCanFind(project: string): boolean {
  const { isSuccess } = useQuery({
    ...opQuery(op.instanceSortedList, { path: {}, query: { project, limit: 1 } }),
    enabled: !isAbsent(op.instanceSortedList),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return isSuccess
}
