import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { canQuery, reasonOf } from '#/data/permissions.ts'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { userColumns } from '#/features/people/columns.tsx'
import { PeopleTools } from '#/features/people/PeopleTools.tsx'
import { siloUserLink } from '#/features/silos/links.ts'
import { PeopleTable } from '#/features/silos/people/PeopleTable.tsx'
import { usersFound } from '#/features/silos/people/queries.ts'
import { siloView } from '#/features/silos/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_users')({
  validateSearch: findSearch,
  loader: ({ context, params }) => context.prefetch(siloView(params.silo), canQuery(mayInvite(params.silo))),
  staticData: { crumb: { label: 'Users', to: '/system/silos/$silo/users' } },
  component: Users,
})

const mayInvite = (silo: string) => ({ action: 'create_child', object: 'silo_user', id: silo }) as const

function Users() {
  const { silo: name } = Route.useParams()
  const { data: silo } = useSuspenseQuery(siloView(name))
  const { data: verdict } = useQuery(canQuery(mayInvite(name)))
  const whyNot = reasonOf(verdict)
  return (
    <>
      {whyNot === undefined ? <PeopleTable silo={silo} /> : <UsersTable silo={name} whyNot={whyNot} />}
      <Outlet />
    </>
  )
}

/** The users of a silo with groups and roles, for operators who may only view them. */
function UsersTable({ silo, whyNot }: { silo: string; whyNot: string }) {
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
