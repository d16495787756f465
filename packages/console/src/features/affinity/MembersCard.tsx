import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { InstancePlate } from '#/features/instances/parts.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { offeredInstances } from '#/features/instances/queries.ts'
import { useOffered } from '#/kit/list/use-offered.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { familyChanges, type Member, memberAt } from './queries.ts'
import { whyNoMoreMembers } from './reasons.ts'
import { kindOf, memberMessage } from './words.tsx'

const AddMemberDialog = lazyPart(() => import('./AddDialogs.tsx'), 'AddMemberDialog')

interface Props {
  family: AffinityFamily
  project: string
  group: string
  members: readonly Member[]
}

const columnsIn = (project: string): Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '32%',
    cell: ({ name }) => (
      <PageLink {...instanceLink(project, name, 'settings')} className="name">
        {name}
      </PageLink>
    ),
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    width: '20%',
    cell: ({ runState }) => <InstancePlate state={runState} />,
  },
  { id: 'id', header: 'ID', part: 'meta', cell: ({ id }) => <CopyableId id={id} max={36} /> },
]

const idOf = ({ id }: Member): string => id

/** The members of a group of either family. */
export function MembersCard({ family, project, group, members }: Props) {
  const columns = useMemo(() => columnsIn(project), [project])
  const instances = useOffered(offeredInstances(project))
  const [isAdding, setAdding] = useState(false)
  const changed = useChanged()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreMembers(members, instances.data)
  const remove = useOp(familyChanges[family].memberRemove)

  usePaletteItems(whyNoMore ? [] : [{ label: 'Add instance', run: () => setAdding(true) }])

  const actions = ({ name }: Member): MenuEntry[] => [
    {
      label: 'Remove from group',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmAction({
          title: `Remove instance from ${kindOf(family)}`,
          content: (
            <p>
              Are you sure you want to remove <strong>{name}</strong> from {group}? The instance itself does
              not change.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: `Error removing ${name}`,
          success: memberMessage(family, name, 'removed from', group),
          run: () => remove.run(memberAt(family, project, group, name)),
        }),
    },
  ]

  return (
    <Card
      title="Members"
      description="Instances in this group"
      flush
      actions={
        <Button disabledReason={whyNoMore} onClick={() => setAdding(true)}>
          Add instance
        </Button>
      }
    >
      <Table
        inset
        label="Members"
        columns={columns}
        rows={members}
        rowKey={idOf}
        changedKeys={changed}
        actions={actions}
        empty={<CardEmpty title="No group members">Add an instance to see it here.</CardEmpty>}
      />
      {isAdding && (
        <AddMemberDialog
          family={family}
          project={project}
          group={group}
          members={members}
          instances={instances}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
