import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { PeopleTools } from '#/features/people/PeopleTools.tsx'
import type { GroupRow } from '#/features/people/queries.ts'
import { SourceTags } from '#/features/people/columns.tsx'
import { groupsFound } from '#/features/silos/people/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatNumber } from '#/ui/data/format.ts'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/groups')({
  validateSearch: findSearch,
  loader: ({ params: { silo }, ...visit }) =>
    loadList(visit, groupsFound(silo, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Groups', to: '/system/silos/$silo/groups' } },
  component: GroupsTable,
})

const columnsIn = (silo: string): Column<GroupRow>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ displayName }) => <span className="font-medium text-strong">{displayName}</span>,
  },
  {
    id: 'members',
    header: 'Members',
    align: 'right',
    isLabelled: true,
    cell: ({ memberCount }) => <span className="tabular-nums">{formatNumber(memberCount)}</span>,
  },
  {
    id: 'silo-role',
    header: 'Role on silo',
    part: 'state',
    cell: ({ roles }) => <SourceTags level="silo" role={roles.silo} names={{ silo }} />,
  },
]

/** The groups of a silo with their sizes and roles. */
function GroupsTable() {
  const { silo } = Route.useParams()
  const { search } = useFind()
  const list = useListPage(groupsFound(silo, search))
  const columns = useMemo(() => columnsIn(silo), [silo])
  return (
    <>
      <TabHead>Groups come from the identity provider, except the admin group of the silo.</TabHead>
      <PeopleTools pluralNoun="groups" />
      <ResourceTable
        label="Groups"
        list={list}
        columns={columns}
        empty={
          search.name ? (
            <NothingMatches />
          ) : (
            <EmptyState title="No groups">
              Groups appear here after their members sign in at the identity provider.
            </EmptyState>
          )
        }
      />
    </>
  )
}
