// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { type FilteredKind, listKind } from '@gantry/api/filter/list-kinds.rules'
import { type ReactNode, useMemo } from 'react'
import type { ListName, ListQuery } from '#/data/queries.ts'
import { listId } from '#/data/list-preferences.ts'
import type { ListPlace } from '../found-list.ts'
import { useFind } from '../use-find.ts'
import { SavedViews } from '../view/SavedViews.tsx'
import { holdsViewSlot } from '../view/view-slots.ts'
import { filterOf } from './filter-of.ts'
import { ListExport } from './ListExport.tsx'
import { ListFilter } from './ListFilter.tsx'
import { Totals } from './Totals.tsx'

interface Props {
  kind: FilteredKind
  pluralNoun: string
  place: ListPlace
  /** Of exported files. */
  name: string
  /** What is exported, and what the totals are of. */
  list: ListQuery<ListName>
  /** Further choices of the list. */
  children?: ReactNode
}

/** The filter of a list, and below it how much it finds and what can be done with that. */
export function FilterBar({ kind, pluralNoun, place, name, list, children }: Props) {
  const { search } = useFind()
  const id = listId(list.op)
  const slot = useMemo(() => holdsViewSlot(id), [id])
  return (
    <>
      <ListFilter
        kind={kind}
        pluralNoun={pluralNoun}
        place={place}
        // Those of the fleet's lists are in no silo.
        before={
          <SavedViews kind={kind} list={id} place={listKind(kind).scope === 'fleet' ? undefined : place} />
        }
      />
      <Totals kind={kind} place={place} filter={filterOf(search)} list={list}>
        {children}
        <div ref={slot} />
        <ListExport list={list} name={name} noun={pluralNoun} />
      </Totals>
    </>
  )
}
