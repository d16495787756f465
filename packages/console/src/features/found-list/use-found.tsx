import type { FilteredKind } from '@gantry/api/filter/filter-fields.rules'
import { type ReactNode, useMemo } from 'react'
import type { ListName, ListQuery } from '#/data/queries.ts'
import { sortKeys, sortOf, sortWord } from '#/kit/list/find.ts'
import { filterOf } from '#/kit/list/filter/filter-of.ts'
import type { ListPlace } from '#/kit/list/found-list.ts'
import type { ListFind } from '#/kit/list/ResourceList.tsx'
import { sortable } from '#/kit/list/SortHead.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import type { Column } from '#/ui/data/column.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'

/* The list shows without it, and is not moved by it. */
const FilterBar = lazyPart(
  afterPaint(() => import('#/kit/list/filter/FilterBar.tsx')),
  'FilterBar',
  <div className="h-20" />,
)
const HidingTerms = lazyPart(() => import('#/kit/list/filter/Totals.tsx'), 'HidingTerms')

interface Options<Item> {
  kind: FilteredKind
  /** As in `floating IPs`. */
  pluralNoun: string
  place: ListPlace
  list: ListQuery<ListName>
  columns: readonly Column<Item>[]
}

/** The filter of a list, and its columns with heads that sort. Without either on servers that cannot filter. */
export function useFound<Item extends { id: string; name: string }>(
  options: Options<Item>,
): { columns: readonly Column<Item>[]; find: ListFind } {
  const { kind, pluralNoun, place, list, columns } = options
  const { search, find } = useFind()
  const { sort } = search
  const canFind = useHasExtensions()
  const shown = useMemo(() => {
    if (!canFind) return columns
    const sorted = sortOf({ sort })
    return columns.map((column) => {
      const key = sortKeys.find((each) => each === column.id)
      return key ? sortable(column, key, sorted, (wanted) => find({ sort: sortWord(wanted) })) : column
    })
  }, [canFind, columns, sort, find])
  const bar: ReactNode = canFind && (
    <div className="mb-3 min-h-control">
      <FilterBar
        kind={kind}
        pluralNoun={pluralNoun}
        place={place}
        name={`${place.project ?? 'silo'}-${kind}s`}
        list={list}
      />
    </div>
  )
  const hiding = canFind && <HidingTerms kind={kind} place={place} />
  return { columns: shown, find: { bar, isFiltered: filterOf(search) !== '', hiding } }
}
