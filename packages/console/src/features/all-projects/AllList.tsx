import type { OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { type ReactNode, useMemo } from 'react'
import type { ItemOf, ListName, ListQuery } from '#/data/queries.ts'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { type Details, useDetails } from '#/features/found-list/details.tsx'
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import { useFound } from '#/features/found-list/use-found.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

interface Props<Name extends ListName> {
  label: string
  kind: OfProjectKind
  /** As in `floating IPs`. */
  pluralNoun: string
  list: ListQuery<Name>
  poll?: (rows: readonly ItemOf<Name>[]) => number | false
  columnsWith: (details: Details) => Column<ItemOf<Name>>[]
  bulk?: Bulk<ItemOf<Name>>
  /** Its own actions for the selected rows. */
  renderBar?: (selected: { selection: Selection; rows: readonly ItemOf<Name>[]; filter: string }) => ReactNode
}

const none: readonly never[] = []
const everywhere = {}

/** The objects of a kind of all projects that the user may see, and of the silo. */
export function AllList<Name extends ListName>(props: Props<Name>) {
  const { label, kind, pluralNoun, list: query, poll, columnsWith, bulk, renderBar } = props
  type Item = ItemOf<Name> & { id: string; name: string; timeCreated: Date }
  const list = useListPage(query, poll ? { poll } : {})
  const rows = list.rows as readonly Item[] | undefined
  const details = useDetails(kind, rows ?? none)
  const { columns, find } = useFound<Item>({
    kind,
    pluralNoun,
    place: everywhere,
    list: query,
    rows,
    columns: useMemo(() => columnsWith(details) as unknown as Column<Item>[], [columnsWith, details]),
    ...(bulk && { bulk: bulk }),
    ...(renderBar && { renderBar: renderBar }),
  })
  return (
    <>
      {(find.isFiltered || (rows && rows.length > 0)) && find.bar}
      <ResourceTable
        label={label}
        steady
        list={list as typeof list & { rows: readonly Item[] | undefined }}
        columns={columns}
        empty={
          find.isFiltered ? (
            <NothingMatches>{find.hiding}</NothingMatches>
          ) : (
            <EmptyState title={`No ${pluralNoun}`}>
              The {pluralNoun} of all projects that you may see show here.
            </EmptyState>
          )
        }
      />
    </>
  )
}
