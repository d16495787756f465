import * as op from '@gantry/api/client/operations.gen'
import { runStates } from '@gantry/api/instance.rules'
import { useQuery } from '@tanstack/react-query'
import Server from 'lucide-react/icons/server'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { isAbsent } from '../../../data/extensions.ts'
import { opQuery } from '../../../data/queries.ts'
import { sentenceCase } from '../../../ui/format.ts'
import type { Column } from '../../../ui/Table.tsx'
import { EmptyState } from '../../common/EmptyState.tsx'
import { FilterBar } from '../../common/list/FilterBar.tsx'
import { sortOf, sortWord } from '../../common/list/find.ts'
import { NothingMatches } from '../../common/list/NothingMatches.tsx'
import { selectColumn } from '../../common/list/SelectBoxes.tsx'
import { createSelection } from '../../common/list/selection.ts'
import { sortable } from '../../common/list/SortHead.tsx'
import { useFind } from '../../common/list/use-find.ts'
import type { ActionsOf } from '../../common/use-late-actions.ts'
import { StateWithReason } from './StateWithReason.tsx'
import { NewLink } from '../../common/ListPage.tsx'
import { usePaletteItems } from '../../common/palette-items.ts'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import { BulkBar } from '../bulk/BulkBar.tsx'
import { BulkRuns } from '../bulk/BulkRuns.tsx'
import { listPolling } from '../list-polling.ts'
import { InstanceRowActions } from '../InstanceRowActions.tsx'
import { type Instance, instancePaths } from '../queries.ts'

type Poll = ReturnType<typeof listPolling>

interface Props {
  project: string
  rows: readonly Instance[]
  columns: readonly Column<Instance>[]
  offer: (columns: readonly Column<Instance>[]) => void
  offerActions: (actionsOf: ActionsOf<Instance>) => void
  /** One for as long as the page is there, because it remembers what it has seen. */
  offerPoll: (poll: () => Poll) => void
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
export function InstanceTools({ project, rows, columns, offer, offerActions, offerPoll }: Props) {
  const [selection] = useState(createSelection)
  const [poll] = useState(() => listPolling())
  useEffect(() => offerPoll(() => poll), [offerPoll, poll])
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const canFind = useCanFind(project)
  const { search, find } = useFind()
  const word = search.sort
  const isEmpty = rows.length === 0
  const { page, ...narrowed } = search
  const isFinding = Object.keys(narrowed).length > 0
  // A later page that has become empty leads back by itself.
  const isFirst = page === undefined

  const whyNotAllowed = useWhyNotInProject(project)
  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'New instance', to: instancePaths.create(project) }]),
    ...rows.map(({ name, runState }) => ({
      label: name,
      group: 'Go to instance',
      icon: Server,
      hint: sentenceCase(runState),
      to: instancePaths.storage(project, name),
    })),
  ])

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
      {isEmpty && isFirst && (isFinding ? <NothingMatches /> : <NoInstances project={project} />)}
      <BulkRuns project={project} />
      <InstanceRowActions project={project} offer={offerActions} />
    </>
  )
}

function NoInstances({ project }: { project: string }) {
  const whyNotAllowed = useWhyNotInProject(project)
  return (
    <EmptyState
      title="No instances"
      action={
        <NewLink kind="default" to={instancePaths.create(project)} disabled={whyNotAllowed}>
          New instance
        </NewLink>
      }
    >
      Instances are virtual machines. Create one to see it here.
    </EmptyState>
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
