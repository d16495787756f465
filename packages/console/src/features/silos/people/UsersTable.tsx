import { useMemo } from 'react'
import { NothingMatches } from '#/features/common/list/NothingMatches.tsx'
import { useFind } from '#/features/common/list/use-find.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { userColumns } from '#/features/people/columns.tsx'
import { PeopleTools } from '#/features/people/PeopleTools.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { siloUserLink } from '../links.ts'
import { usersFound } from './queries.ts'

/** The users of a silo with groups and roles, for operators who may only view them. */
export function UsersTable({ silo, whyNot }: { silo: string; whyNot: string }) {
  const { search } = useFind()
  const list = useListPage(usersFound(silo, search))
  const columns = useMemo(() => userColumns(silo, false, (id) => siloUserLink(silo, id)), [silo])
  return (
    <>
      <TabHead>To create users and reset passwords: {whyNot}.</TabHead>
      <PeopleTools pluralNoun="users" />
      <ResourceTable
        label="Users"
        list={list}
        columns={columns}
        empty={
          search.name ? (
            <NothingMatches />
          ) : (
            <EmptyState title="No users">Nobody can sign in to this silo yet.</EmptyState>
          )
        }
      />
    </>
  )
}
