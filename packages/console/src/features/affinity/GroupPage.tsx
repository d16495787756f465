import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { copyText } from '../../ui/copy-text.ts'
import { CopyableId } from '../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../ui/DataPlate.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { formatNumber } from '../../ui/format.ts'
import type { MenuEntry, MenuLinkProps } from '../../ui/Menu.tsx'
import { MoreActions } from '../../ui/RowMenu.tsx'
import { PageHead } from '../common/ListPage.tsx'
import { PathLink } from '../common/PathLink.tsx'
import { DescriptionItem } from '../common/plate-items.tsx'
import { useWhyNotInProject } from '../common/project-permission.ts'
import { AffinityDocs } from './AffinityDocs.tsx'
import { MembersCard } from './MembersCard.tsx'
import { PolicyTag, PolicyTerm, TypeTag } from './policy.tsx'
import { affinityPaths, type AntiAffinityGroup, groupMembers, groupView } from './queries.ts'
import { useDeleteGroup } from './use-delete-group.ts'

/** One anti-affinity group: what it is, and who is in it. */
export function GroupPage({ project, group: name }: { project: string; group: string }) {
  const navigate = useNavigate()
  const [isGoing, setGoing] = useState(false)
  const { data: group, error } = useSuspenseQuery(groupView(project, name))
  const members = useSuspenseQuery(groupMembers(project, name))
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteGroup(project, (is) => {
    setGoing(is !== 'refused')
    if (is === 'done') void navigate({ to: '/projects/$project/affinity', params: { project } })
  })
  // Deleted by somebody else: there is nothing left to look at.
  if (error?.statusCode === 404 && !isGoing) throw error

  const editLink = (props: MenuLinkProps) => (
    <PathLink to={affinityPaths.edit(project, name)} over {...props} />
  )
  const entries = (): MenuEntry[] => [
    {
      label: 'Copy ID',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(group.id),
    },
    'rule',
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: editLink,
    },
    'rule',
    {
      label: 'Delete',
      icon: <Trash2 aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      danger: true,
      onSelect: () => remove(name),
    },
  ]

  return (
    <>
      <PageHead
        title={group.name}
        docs={<AffinityDocs />}
        actions={<MoreActions label="Anti-affinity group actions" entries={entries} />}
      />
      <Plate group={group} memberCount={members.data.length} />
      <div className="mt-5">
        <MembersCard project={project} group={name} members={members.data.map(({ value }) => value)} />
      </div>
    </>
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
