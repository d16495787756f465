import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { canQuery, useWhyNot } from '#/data/permissions.ts'
import { groupLink } from '#/features/people/links.ts'
import { PermissionsCard } from '#/features/people/PermissionsCard.tsx'
import { deferredOf } from '#/kit/page/deferred.tsx'
import { PersonPanel } from '#/features/people/PersonPanel.tsx'
import { userRoles, usersNamed, userView } from '#/features/people/queries.ts'
import { RolesCard } from '#/features/people/RolesCard.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/_silo/_people/_users/users/$user')({
  loader: ({ context, params }) =>
    context.prefetch(
      userView(params.user),
      userRoles(params.user),
      canQuery(mayChangeUsers),
      canQuery(mayListCredentials),
    ),
  staticData: { title: 'View user' },
  component: UserPanel,
})

const mayChangeUsers = { action: 'modify', object: 'silo_user' } as const
const mayListCredentials = { action: 'list_children', object: 'user_credentials' } as const

const UserSecondFactorsCard = lazyPart(
  () => import('#/features/sign-in/factors/UserSecondFactorsCard.tsx'),
  'UserSecondFactorsCard',
)
const CredentialsCard = lazyPart(() => import('#/features/people/CredentialsCard.tsx'), 'CredentialsCard')

function UserPanel() {
  const { user: id } = Route.useParams()
  const { siloName } = useCurrentUser()
  const whyNotFactors = useWhyNot(mayChangeUsers)
  const whyNotCredentials = useWhyNot(mayListCredentials)
  const { data: user } = useSuspenseQuery(userView(id))
  const { data: roles } = useSuspenseQuery(userRoles(id))
  const { data: found, isError } = useQuery(usersNamed(user.displayName))
  const groups = deferredOf({ data: found?.find((one) => one.id === id)?.groups, isError })
  return (
    <PersonPanel
      kind="User"
      id={id}
      name={user.displayName}
      closeTo={{ to: '/users' }}
      others={{
        label: 'Groups',
        none: 'No groups',
        links:
          groups === 'unknown'
            ? groups
            : groups?.map(({ id: group, displayName }) => ({
                id: group,
                name: displayName,
                link: groupLink(group),
              })),
      }}
    >
      <RolesCard roles={roles} silo={siloName} />
      {whyNotFactors === undefined && <UserSecondFactorsCard id={id} name={user.displayName} />}
      {whyNotCredentials === undefined && <CredentialsCard id={id} name={user.displayName} />}
      <PermissionsCard kind="user" id={id} silo={siloName} />
    </PersonPanel>
  )
}
