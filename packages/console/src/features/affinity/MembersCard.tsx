import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useMemo, useState } from 'react'
import { useChanged } from '../../data/live.ts'
import { useOp } from '../../data/use-op.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CardEmpty } from '../../ui/CardEmpty.tsx'
import { CopyableId } from '../../ui/CopyButton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { MenuEntry } from '../../ui/Menu.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { confirmAction } from '../common/confirm.tsx'
import { PathLink } from '../common/PathLink.tsx'
import { usePaletteItems } from '../common/palette-items.ts'
import { useWhyNotInProject } from '../common/project-permission.ts'
import { InstancePlate } from '../instances/InstanceState.tsx'
import { allInstances, instancePaths } from '../instances/queries.ts'
import { type Member, memberAt } from './queries.ts'
import { notIn, whyNoMoreMembers } from './reasons.ts'
import { toldMember } from './told-member.tsx'

const AddMemberDialog = lazyPart(() => import('./AddMemberDialog.tsx'), 'AddMemberDialog')

interface Props {
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
      <PathLink to={instancePaths.settings(project, name)} className="name">
        {name}
      </PathLink>
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

/** The instances that a group keeps apart. */
export function MembersCard({ project, group, members }: Props) {
  const columns = useMemo(() => columnsIn(project), [project])
  const { data: instances } = useQuery(allInstances(project))
  const [isAdding, setAdding] = useState(false)
  const changed = useChanged()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreMembers(members, instances)
  const remove = useOp(op.antiAffinityGroupMemberInstanceDelete)

  usePaletteItems(whyNoMore ? [] : [{ label: 'Add instance', to: () => setAdding(true) }])

  const actions = ({ name }: Member): MenuEntry[] => [
    {
      label: 'Remove from group',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmAction({
          title: 'Remove instance from anti-affinity group',
          content: (
            <p>
              Are you sure you want to remove <strong>{name}</strong> from {group}? The instance itself does
              not change.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: `Error removing ${name}`,
          success: toldMember(name, 'removed from', group),
          run: () => remove.run(memberAt(project, group, name)),
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
          project={project}
          group={group}
          instances={notIn(instances ?? [], members)}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
