import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'

export const Route = createFileRoute('/_console/_silo/_people')({
  staticData: { crumb: { label: 'Users & Groups', to: '/users' } },
  component: People,
})

/** Both kinds share one entry of the rail. */
const tabs = [
  { id: 'users', label: 'Users', link: { to: '/users' } },
  { id: 'groups', label: 'Groups', link: { to: '/users/groups' } },
] as const

function People() {
  return (
    <ListPage
      title="Users & Groups"
      docs={
        <DocsPopover topic="users and groups" page="access#users-and-groups">
          Users who can sign in to this silo, and their groups from the identity provider. Roles given to a
          group apply to all its members.
        </DocsPopover>
      }
    >
      <RouteTabs label="Users and groups" tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </ListPage>
  )
}
