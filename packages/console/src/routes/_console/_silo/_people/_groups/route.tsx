import { createFileRoute } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { loadList } from '#/kit/page/loaders.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { groupColumns } from '#/features/people/columns.tsx'
import { groupLink } from '#/features/people/links.ts'
import { PeopleList } from '#/features/people/PeopleList.tsx'
import { groupsFound, peoplePollMs } from '#/features/people/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/_silo/_people/_groups')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, groupsFound(findSearch(visit.location.search))),
  component: GroupsPage,
})

function GroupsPage() {
  const list = useListPage(groupsFound(Route.useSearch()), { poll: () => peoplePollMs })

  useListPalette({
    kind: 'group',
    icon: Users,
    rows: list.rows,
    rowEntry: ({ id, displayName }) => ({ label: displayName, link: groupLink(id), over: true }),
  })

  return (
    <PeopleList
      pluralNoun="groups"
      label="Groups"
      list={list}
      columnsOf={groupColumns}
      empty={
        <EmptyState title="No groups">Groups come from the identity provider when users sign in.</EmptyState>
      }
    />
  )
}
