// @chunk instance-settings: of one tab, which the other tabs of an instance do not need.
import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { capitalise } from '@gantry/api/base/errors.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import Copy from 'lucide-react/icons/copy'
import { useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { affinityGroupLink } from '#/features/affinity/links.ts'
import { kindOf, memberMessage, PolicyTag, PolicyTerm } from '#/features/affinity/words.tsx'
import {
  allGroups,
  familyChanges,
  type Group,
  groupsOfInstance,
  memberAt,
} from '#/features/affinity/queries.ts'
import { notIn, whyNoMoreGroups } from '#/features/affinity/reasons.ts'
import { descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'

const AddToGroupDialog = lazyPart(() => import('#/features/affinity/AddDialogs.tsx'), 'AddToGroupDialog')

interface Props {
  family: AffinityFamily
  project: string
  instance: string
}

const columnsIn = (family: AffinityFamily, project: string): Column<Group>[] => [
  nameColumn<Group>(({ name }) => affinityGroupLink(family, project, name)),
  descriptionColumn<Group>(),
  {
    id: 'policy',
    header: <PolicyTerm family={family} />,
    part: 'state',
    width: '14%',
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
]

/** Each button names its family, apart from the one whose label the specification gives. */
const addLabels: Readonly<Record<AffinityFamily, string>> = {
  'anti-affinity': 'Add to group',
  affinity: 'Add to affinity group',
}

const idOf = ({ id }: Group): string => id

/** The groups of one family that an instance is in. */
export function GroupsCard({ family, project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: groups } = useSuspenseQuery(groupsOfInstance(family, project, name))
  const { data: all } = useSuspenseQuery(allGroups(family, project))
  const columns = useMemo(() => columnsIn(family, project), [family, project])
  const [isAdding, setAdding] = useState(false)
  const changed = useChanged()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore =
    whyNotAllowed ??
    whyNotInstance('addToAffinityGroup', instance.runState) ??
    whyNoMoreGroups(family, groups, all)
  const remove = useOp(familyChanges[family].memberRemove)
  const kind = kindOf(family)
  const title = capitalise(`${kind}s`)

  const actions = (group: Group): MenuEntry[] => [
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
          success: memberMessage(family, name, 'removed from', group.name),
          run: () => remove.run(memberAt(family, project, group.name, name)),
        }),
    },
  ]

  return (
    <Card
      title={title}
      flush
      actions={
        <Button disabledReason={whyNoMore} onClick={() => setAdding(true)}>
          {addLabels[family]}
        </Button>
      }
    >
      <Table
        inset
        label={title}
        columns={columns}
        rows={groups}
        rowKey={idOf}
        changedKeys={changed}
        actions={actions}
        empty={<CardEmpty title={`No ${kind}s`}>This instance is not a member of any group.</CardEmpty>}
      />
      {isAdding && (
        <AddToGroupDialog
          family={family}
          project={project}
          instance={name}
          groups={notIn(all, groups)}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
