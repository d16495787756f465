import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { capitalise } from '@gantry/api/base/errors.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { WithActivity, type WithActivitySearch } from '#/features/activity/WithActivity.tsx'
import { DescriptionItem } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { affinityGroupLink, familyLink } from './links.ts'
import { MembersCard } from './MembersCard.tsx'
import { AffinityDocs, useGroupRowActions } from './parts.tsx'
import { type Group, groupMembers, groupView } from './queries.ts'
import { kindOf, PolicyTag, PolicyTerm, TypeTag } from './words.tsx'

interface Props {
  family: AffinityFamily
  project: string
  group: string
  asked: WithActivitySearch
}

/** One group of either family, and its members. */
export function GroupPage({ family, project, group: name, asked }: Props) {
  const { data: group, onDelete } = useViewed(groupView(family, project, name), familyLink(family, project))
  const members = useSuspenseQuery(groupMembers(family, project, name))
  const actions = useGroupRowActions(family, project, onDelete)
  const link = affinityGroupLink(family, project, name)
  return (
    <ResourcePage
      title={group.name}
      docs={<AffinityDocs />}
      kind={capitalise(kindOf(family))}
      menu={() => rowMenu(group.id, 'Copy ID', actions(group))}
      plate={<Plate family={family} group={group} memberCount={members.data.length} />}
    >
      <div className="mt-4">
        <WithActivity
          label={capitalise(kindOf(family))}
          contents="Members"
          link={link}
          activityLink={{ ...link, search: { tab: 'activity' } }}
          scope={{ of: 'project', project, object: group.id }}
          asked={asked}
        >
          <MembersCard
            family={family}
            project={project}
            group={name}
            members={members.data.map(({ value }) => value)}
          />
        </WithActivity>
      </div>
    </ResourcePage>
  )
}

interface PlateProps {
  family: AffinityFamily
  group: Group
  memberCount: number
}

function Plate({ family, group, memberCount }: PlateProps) {
  const { description, policy, timeCreated, id } = group
  return (
    <DataPlate summary={description || formatCount(memberCount, 'member')}>
      <DataItem label="Type">
        <TypeTag family={family} />
      </DataItem>
      <DescriptionItem description={description} />
      <DataItem label={<PolicyTerm family={family} />}>
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
