import { useSuspenseQuery } from '@tanstack/react-query'
import { DescriptionItem } from '#/features/common/plate-items.tsx'
import { ResourcePage } from '#/features/common/ResourcePage.tsx'
import { rowMenu } from '#/features/common/row-menu.tsx'
import { useViewed } from '#/features/common/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { DateTime } from '#/ui/DateTime.tsx'
import { formatNumber } from '#/ui/format.ts'
import { AffinityDocs } from './AffinityDocs.tsx'
import { MembersCard } from './MembersCard.tsx'
import { PolicyTag, PolicyTerm, TypeTag } from './policy.tsx'
import { type AntiAffinityGroup, groupMembers, groupView } from './queries.ts'
import { useGroupRowActions } from './use-group-row-actions.tsx'

/** One anti-affinity group and its members. */
export function GroupPage({ project, group: name }: { project: string; group: string }) {
  const list = { to: '/projects/$project/affinity', params: { project } } as const
  const { data: group, onDelete } = useViewed(groupView(project, name), list)
  const members = useSuspenseQuery(groupMembers(project, name))
  const actions = useGroupRowActions(project, onDelete)
  return (
    <ResourcePage
      title={group.name}
      docs={<AffinityDocs />}
      kind="Anti-affinity group"
      menu={() => rowMenu(group.id, 'Copy ID', actions(group))}
      plate={<Plate group={group} memberCount={members.data.length} />}
    >
      <div className="mt-5">
        <MembersCard project={project} group={name} members={members.data.map(({ value }) => value)} />
      </div>
    </ResourcePage>
  )
}

function Plate({ group, memberCount }: { group: AntiAffinityGroup; memberCount: number }) {
  const { description, policy, timeCreated, id } = group
  return (
    <DataPlate>
      <DataItem label="type">
        <TypeTag />
      </DataItem>
      <DescriptionItem description={description} />
      <DataItem label={<PolicyTerm />}>
        <PolicyTag policy={policy} />
      </DataItem>
      <DataItem label="Created">
        <DateTime value={timeCreated} />
      </DataItem>
      <DataItem label="Members">{formatNumber(memberCount)}</DataItem>
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
    </DataPlate>
  )
}
