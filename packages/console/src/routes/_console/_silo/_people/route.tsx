import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '../../../../features/common/DocsPopover.tsx'
import { ListPage } from '../../../../features/common/ListPage.tsx'
import { PeopleTabs } from '../../../../features/people/PeopleTabs.tsx'
import { peoplePaths } from '../../../../features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people')({
  staticData: { crumb: { label: 'Users & Groups', path: peoplePaths.users } },
  component: People,
})

function People() {
  return (
    <ListPage
      title="Users & Groups"
      docs={
        <DocsPopover topic="users and groups">
          Users who can sign in to this silo, and their groups from the identity provider. Roles given to a
          group apply to all its members.
        </DocsPopover>
      }
    >
      <PeopleTabs>
        <Outlet />
      </PeopleTabs>
    </ListPage>
  )
}
