import { createFileRoute } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { findSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { groupColumns } from '../../../../../features/people/columns.tsx'
import { PeopleList } from '../../../../../features/people/PeopleList.tsx'
import { groupsFound, peoplePaths, peoplePollMs } from '../../../../../features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people/_groups')({
  validateSearch: findSearch,
  loader: ({ context, location }) => {
    const search = findSearch(location.search)
    return context.prefetch(groupsFound(search).at(search.page))
  },
  component: GroupsPage,
})

function GroupsPage() {
  const list = useListPage(groupsFound(Route.useSearch()), { poll: () => peoplePollMs })

  usePaletteItems(
    (list.rows ?? []).map(({ id, displayName }) => ({
      label: displayName,
      group: 'Go to group',
      icon: Users,
      to: peoplePaths.group(id),
    })),
  )

  return (
    <PeopleList
      things="groups"
      label="Groups"
      list={list}
      columnsOf={groupColumns}
      empty={
        <EmptyState title="No groups">Groups come from the identity provider when users sign in.</EmptyState>
      }
    />
  )
}
