import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#/data/current-user.ts'
import { userLink } from './links.ts'
import { PersonPanel } from './PersonPanel.tsx'
import { groupRoles, groupView, membersOf } from './queries.ts'
import { RolesCard } from './RolesCard.tsx'
import { PermissionsCard } from './PermissionsCard.tsx'

export function GroupPanel({ id }: { id: string }) {
  const { siloName } = useCurrentUser()
  const { data: group } = useSuspenseQuery(groupView(id))
  const { data: roles } = useSuspenseQuery(groupRoles(id))
  const { data: members } = useQuery(membersOf(id))
  return (
    <PersonPanel
      kind="Group"
      id={id}
      name={group.displayName}
      closeTo={{ to: '/users/groups' }}
      others={{
        label: 'Members',
        none: 'No members',
        links: members?.map((member) => ({
          id: member.id,
          name: member.displayName,
          link: userLink(member.id),
        })),
      }}
    >
      <RolesCard roles={roles} silo={siloName} />
      <PermissionsCard kind="group" id={id} silo={siloName} />
    </PersonPanel>
  )
}
