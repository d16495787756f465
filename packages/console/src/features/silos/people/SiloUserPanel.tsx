import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { ViewPanel } from '#/features/common/ViewPanel.tsx'
import { WideIdItem } from '#/features/common/plate-items.tsx'
import { RolesCard } from '#/features/people/RolesCard.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { Tag } from '#/ui/Tag.tsx'
import { siloLink } from '../links.ts'
import { allUsersOf, userRolesIn } from './queries.ts'

/** A user of any silo: groups, roles and their sources. */
export function SiloUserPanel({ silo, id }: { silo: string; id: string }) {
  const { data: roles } = useSuspenseQuery(userRolesIn(silo, id))
  const { data: users } = useQuery(allUsersOf(silo))
  const user = users?.find((each) => each.id === id)
  return (
    <ViewPanel
      title={user?.displayName ?? 'User'}
      context={`User of silo ${silo}`}
      closeTo={siloLink(silo, 'users')}
    >
      <DataPlate narrow>
        <WideIdItem id={id} />
        <DataItem label="Groups" wide>
          {!user && <Skeleton />}
          {user?.groups.length === 0 && <span className="text-muted">No groups</span>}
          {user?.groups.map((group) => (
            <Tag key={group.id}>{group.displayName}</Tag>
          ))}
        </DataItem>
      </DataPlate>
      <RolesCard roles={roles} silo={silo} />
    </ViewPanel>
  )
}
