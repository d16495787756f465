import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { userLink } from '#/features/people/links.ts'
import { PermissionsCard } from '#/features/people/PermissionsCard.tsx'
import { deferredOf } from '#/kit/page/deferred.tsx'
import { PersonPanel } from '#/features/people/PersonPanel.tsx'
import { groupRoles, groupView, membersOf } from '#/features/people/queries.ts'
import { RolesCard } from '#/features/people/RolesCard.tsx'

export const Route = createFileRoute('/_console/_silo/_people/_groups/users/groups/$group')({
  loader: ({ context, params }) => context.prefetch(groupView(params.group), groupRoles(params.group)),
  staticData: { title: 'View group' },
  component: GroupPanel,
})

function GroupPanel() {
  const { group: id } = Route.useParams()
  const { siloName } = useCurrentUser()
  const { data: group } = useSuspenseQuery(groupView(id))
  const { data: roles } = useSuspenseQuery(groupRoles(id))
  const members = deferredOf(useQuery(membersOf(id)))
  return (
    <PersonPanel
      kind="Group"
      id={id}
      name={group.displayName}
      closeTo={{ to: '/users/groups' }}
      others={{
        label: 'Members',
        none: 'No members',
        links:
          members === 'unknown'
            ? members
            : members?.map(({ id: user, displayName }) => ({
                id: user,
                name: displayName,
                link: userLink(user),
              })),
      }}
    >
      <RolesCard roles={roles} silo={siloName} />
      <PermissionsCard kind="group" id={id} silo={siloName} />
    </PersonPanel>
  )
}
