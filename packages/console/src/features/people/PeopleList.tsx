import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import type { Column } from '#/ui/data/column.ts'
import { sortOf, sortWord } from '#/kit/list/find.ts'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { sortable } from '#/kit/list/SortHead.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { PeopleTools } from './PeopleTools.tsx'
import type { GroupRow, UserRow } from './queries.ts'

interface Props<Item> {
  pluralNoun: 'users' | 'groups'
  label: string
  list: ListPage<Item>
  columnsOf: (silo: string, seesFleet: boolean) => Column<Item>[]
  empty: ReactNode
}

/** Users or groups of the silo, and the panels over them. */
export function PeopleList<Item extends UserRow | GroupRow>(props: Props<Item>) {
  const { pluralNoun, label, list, columnsOf, empty } = props
  const { siloName } = useCurrentUser()
  const { search, find } = useFind()
  const { name, sort } = search
  const seesFleet = list.rows?.some(({ roles }) => roles.fleet !== null) ?? false
  const columns = useMemo(
    () =>
      columnsOf(siloName, seesFleet).map((column) =>
        column.id === 'name'
          ? sortable(column, 'name', sortOf({ sort }), (wanted) => find({ sort: sortWord(wanted) }))
          : column,
      ),
    [columnsOf, siloName, seesFleet, sort, find],
  )
  return (
    <>
      <PeopleTools pluralNoun={pluralNoun} />
      <ResourceTable
        label={label}
        steady
        list={list}
        columns={columns}
        empty={name ? <NothingMatches /> : empty}
      />
      <Outlet />
    </>
  )
}
