import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { canQuery, reasonOf } from '#/data/permissions.ts'
import { findSearch } from '#/features/common/use-list-page.ts'
import { PeopleTable } from '#/features/silos/people/PeopleTable.tsx'
import { UsersTable } from '#/features/silos/people/UsersTable.tsx'
import { siloView } from '#/features/silos/queries.ts'

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
