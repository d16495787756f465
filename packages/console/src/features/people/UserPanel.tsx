import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#/data/current-user.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { groupLink } from './links.ts'
import { PersonPanel } from './PersonPanel.tsx'
import { userRoles, usersNamed, userView } from './queries.ts'
import { RolesCard } from './RolesCard.tsx'
import { PermissionsCard } from './PermissionsCard.tsx'

const UserSecondFactorsCard = lazyPart(
  () => import('#/features/second-factor/UserSecondFactorsCard.tsx'),
  'UserSecondFactorsCard',
)

export function UserPanel({ id }: { id: string }) {
  const { siloName, siloAdmin } = useCurrentUser()
  const { data: user } = useSuspenseQuery(userView(id))
  const { data: roles } = useSuspenseQuery(userRoles(id))
  const { data: found } = useQuery(usersNamed(user.displayName))
  const groups = found?.find((one) => one.id === id)?.groups
  return (
    <PersonPanel
      kind="User"
      id={id}
      name={user.displayName}
      closeTo={{ to: '/users' }}
      others={{
        label: 'Groups',
        none: 'No groups',
        links: groups?.map((group) => ({
          id: group.id,
          name: group.displayName,
          link: groupLink(group.id),
        })),
      }}
    >
      <RolesCard roles={roles} silo={siloName} />
      {siloAdmin && <UserSecondFactorsCard id={id} name={user.displayName} />}
      <PermissionsCard kind="user" id={id} silo={siloName} />
    </PersonPanel>
  )
}
