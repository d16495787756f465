import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { isAbsent } from '#/data/extensions.ts'
import { needId } from '#/kit/page/loaders.ts'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { RolesCard } from '#/features/people/RolesCard.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { siloUserView, userRolesIn, usersNamedIn } from '#/features/silos/people/queries.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_users/users/$user')({
  loader: ({ context, params: { silo, user } }) => {
    needId(user)
    context.begin(userRolesIn(silo, user))
    return context.prefetch(siloUserView(silo, user))
  },
  staticData: { title: 'View user' },
  component: SiloUserPanel,
})

/** A user of any silo: groups, roles and their sources, where the server gives them. */
function SiloUserPanel() {
  const { silo, user: id } = Route.useParams()
  const { data: user } = useViewed(siloUserView(silo, id))
  const roles = useQuery(userRolesIn(silo, id))
  const users = useQuery(usersNamedIn(silo, user.displayName))
  const groups = users.data?.find((each) => each.id === id)?.groups
  return (
    <ViewPanel title={user.displayName} context={`User of silo ${silo}`} closeTo={siloLink(silo, 'users')}>
      <DataPlate narrow>
        <WideIdItem id={id} />
        {!users.isError && (
          <DataItem label="Groups" wide>
            {!groups && <Skeleton />}
            {groups?.length === 0 && <span className="text-muted">No groups</span>}
            {groups?.map((group) => (
              <Tag key={group.id}>{group.displayName}</Tag>
            ))}
          </DataItem>
        )}
      </DataPlate>
      {roles.data && <RolesCard roles={roles.data} silo={silo} />}
      {roles.error && !isAbsent(op.userEffectiveRoles) && (
        <SectionError failure={roles.error} onRetry={() => void roles.refetch()} />
      )}
    </ViewPanel>
  )
}
