import { createFileRoute } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { findSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { userColumns } from '../../../../../features/people/columns.tsx'
import { PeopleList } from '../../../../../features/people/PeopleList.tsx'
import { peoplePaths, peoplePollMs, usersFound } from '../../../../../features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people/_users')({
  validateSearch: findSearch,
  loader: ({ context, location }) => {
    const search = findSearch(location.search)
    return context.prefetch(usersFound(search).at(search.page))
  },
  component: UsersPage,
})

function UsersPage() {
  const list = useListPage(usersFound(Route.useSearch()), { poll: () => peoplePollMs })

  usePaletteItems(
    (list.rows ?? []).map(({ id, displayName }) => ({
      label: displayName,
      group: 'Go to user',
      icon: UserRound,
      to: peoplePaths.user(id),
    })),
  )

  return (
    <PeopleList
      things="users"
      label="Users"
      list={list}
      columnsOf={userColumns}
      empty={<EmptyState title="No users">Nobody can sign in to this silo yet.</EmptyState>}
    />
  )
}
