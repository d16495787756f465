// @chunk found-lists: of lists that are filtered, which no other page needs.
import type { FilteredKind } from '@gantry/api/filter/list-kinds.rules'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import type { ListName, ListQuery } from '#/data/queries.ts'
import { sortKeys, sortOf, sortWord } from '#/kit/list/find.ts'
import { filterOf } from '#/kit/list/filter/filter-of.ts'
import type { ListPlace } from '#/kit/list/found-list.ts'
import type { ListFind } from '#/kit/list/ResourceList.tsx'
import { selectColumn } from '#/kit/list/SelectBoxes.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { sortable } from '#/kit/list/SortHead.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { useSelection } from '#/kit/list/use-selection.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import type { Column } from '#/ui/data/column.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'
import { detailColumns } from './detail-columns.tsx'
import type { Bulk } from './SelectedBar.tsx'

/* The list shows without it, and is not moved by it. */
const FilterBar = lazyPart(
  afterPaint(() => import('#/kit/list/filter/FilterBar.tsx')),
  'FilterBar',
  <div className="h-20" />,
)
const SelectedBar = lazyPart(() => import('./SelectedBar.tsx'), 'SelectedBar')
const HidingTerms = lazyPart(() => import('#/kit/list/filter/Totals.tsx'), 'HidingTerms')

const none: readonly never[] = []

interface Options<Item> {
  kind: FilteredKind
  /** As in `floating IPs`. */
  pluralNoun: string
  place: ListPlace
  list: ListQuery<ListName>
  rows: readonly Item[] | undefined
  columns: readonly Column<Item>[]
  /** What can be done with many of them; without it or a bar, none are selected. */
  bulk?: Bulk<Item>
  /** Its own actions for the selected rows. */
  renderBar?: (selected: { selection: Selection; rows: readonly Item[]; filter: string }) => ReactNode
}

/**
 * The filter of a list, its columns with heads that sort, and the selection. Without any on servers that cannot filter.
 */
export function useFound<Item extends { id: string; name: string; timeCreated: Date }>(
  options: Options<Item>,
): { columns: readonly Column<Item>[]; find: ListFind } {
  const { kind, place, rows, columns } = options
  const isSelectable = options.bulk !== undefined || options.renderBar !== undefined
  const { search, find } = useFind()
  const { sort } = search
  const canFind = useHasExtensions()
  const selection = useSelection(rows)
  const { fleetViewer } = useCurrentUser()
  const shown = useMemo(() => {
    if (!canFind) return columns
    const sorted = sortOf({ sort })
    return [
      ...(isSelectable ? [selectColumn<Item>(selection)] : []),
      ...columns.map((column) => {
        const key = sortKeys.find((each) => each === column.id)
        return key ? sortable(column, key, sorted, (wanted) => find({ sort: sortWord(wanted) })) : column
      }),
      ...(kind === 'fleet-instance' ? [] : detailColumns(kind, rows ?? none, fleetViewer)),
    ]
  }, [canFind, columns, isSelectable, selection, sort, find, kind, rows, fleetViewer])
  return {
    columns: shown,
    find: {
      bar: canFind && <ListToolbar {...options} selection={selection} />,
      isFiltered: filterOf(search) !== '',
      hiding: canFind && <HidingTerms kind={kind} place={place} />,
    },
  }
}

/** The filter and totals, or actions for the selected rows in their place. */
function ListToolbar<Item extends { id: string; name: string }>({
  kind,
  pluralNoun,
  place,
  list,
  rows = none,
  bulk,
  renderBar,
  selection,
}: Options<Item> & { selection: Selection }) {
  const { search } = useFind()
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  return (
    <div className="mb-3 min-h-control">
      {renderBar && ids.length > 0 ? (
        renderBar({ selection, rows, filter: filterOf(search) })
      ) : bulk && ids.length > 0 ? (
        <SelectedBar
          // A lazy part knows no type of rows, and gets those of this list.
          {...(bulk as Bulk<{ id: string; name: string }>)}
          pluralNoun={pluralNoun}
          place={place}
          list={list}
          rows={rows}
          selection={selection}
        />
      ) : (
        <FilterBar
          kind={kind}
          pluralNoun={pluralNoun}
          place={place}
          name={`${[place.project, place.vpc].filter(Boolean).join('-') || (place.siloOnly ? 'silo' : 'all')}-${kind}s`}
          list={list}
        />
      )}
    </div>
  )
}
