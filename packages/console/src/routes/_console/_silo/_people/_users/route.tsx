import { createFileRoute } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { loadList } from '#/kit/page/loaders.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { userColumns } from '#/features/people/columns.tsx'
import { userLink } from '#/features/people/links.ts'
import { PeopleList } from '#/features/people/PeopleList.tsx'
import { peoplePollMs, usersFound } from '#/features/people/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/_silo/_people/_users')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, usersFound(findSearch(visit.location.search))),
  component: UsersPage,
})

function UsersPage() {
  const list = useListPage(usersFound(Route.useSearch()), { poll: () => peoplePollMs })

  useListPalette({
    kind: 'user',
    icon: UserRound,
    rows: list.rows,
    rowEntry: ({ id, displayName }) => ({ label: displayName, link: userLink(id), over: true }),
  })

  return (
    <PeopleList
      pluralNoun="users"
      label="Users"
      list={list}
      columnsOf={userColumns}
      empty={<EmptyState title="No users">Nobody can sign in to this silo yet.</EmptyState>}
    />
  )
}
