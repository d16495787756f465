import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import Copy from 'lucide-react/icons/copy'
import { useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { affinityGroupLink } from '#/features/affinity/links.ts'
import { PolicyTag, PolicyTerm } from '#/features/affinity/policy.tsx'
import {
  allAntiAffinityGroups,
  type AntiAffinityGroup,
  groupsOfInstance,
  memberAt,
} from '#/features/affinity/queries.ts'
import { notIn, whyNoMoreGroups } from '#/features/affinity/reasons.ts'
import { memberMessage } from '#/features/affinity/member-message.tsx'
import { descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import { confirmAction } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/Card.tsx'
import { CardEmpty } from '#/ui/CardEmpty.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/Menu.tsx'
import type { Column } from '#/ui/column.ts'
import { Table } from '#/ui/Table.tsx'
import { instanceView } from '#/features/instances/queries.ts'
import { whyNotInstance } from '#/features/instances/reasons.ts'

const AddToGroupDialog = lazyPart(
  () => import('#/features/affinity/AddToGroupDialog.tsx'),
  'AddToGroupDialog',
)

interface Props {
  project: string
  instance: string
}

const columnsIn = (project: string): Column<AntiAffinityGroup>[] => [
  nameColumn<AntiAffinityGroup>(({ name }) => affinityGroupLink(project, name)),
  descriptionColumn<AntiAffinityGroup>(),
  {
    id: 'policy',
    header: <PolicyTerm />,
    part: 'state',
    width: '14%',
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
]

const idOf = ({ id }: AntiAffinityGroup): string => id

/** The anti-affinity groups of an instance. */
export function GroupsCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: groups } = useSuspenseQuery(groupsOfInstance(project, name))
  const { data: all } = useSuspenseQuery(allAntiAffinityGroups(project))
  const columns = useMemo(() => columnsIn(project), [project])
  const [isAdding, setAdding] = useState(false)
  const changed = useChanged()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore =
    whyNotAllowed ?? whyNotInstance('addToAffinityGroup', instance.runState) ?? whyNoMoreGroups(groups, all)
  const remove = useOp(op.antiAffinityGroupMemberInstanceDelete)

  const actions = (group: AntiAffinityGroup): MenuEntry[] => [
    {
      label: 'Copy group ID',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(group.id),
    },
    'rule',
    {
      label: 'Remove instance from group',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmAction({
          title: 'Remove instance from group',
          content: (
            <p>
              Are you sure you want to remove {name} from <strong>{group.name}</strong>? The instance itself
              does not change.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: 'Error removing instance from group',
          success: memberMessage(name, 'removed from', group.name),
          run: () => remove.run(memberAt(project, group.name, name)),
        }),
    },
  ]

  return (
    <Card
      title="Anti-affinity groups"
      flush
      actions={
        <Button disabledReason={whyNoMore} onClick={() => setAdding(true)}>
          Add to group
        </Button>
      }
    >
      <Table
        inset
        label="Anti-affinity groups"
        columns={columns}
        rows={groups}
        rowKey={idOf}
        changedKeys={changed}
        actions={actions}
        empty={
          <CardEmpty title="No anti-affinity groups">This instance is not a member of any group.</CardEmpty>
        }
      />
      {isAdding && (
        <AddToGroupDialog
          project={project}
          instance={name}
          groups={notIn(all, groups)}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
