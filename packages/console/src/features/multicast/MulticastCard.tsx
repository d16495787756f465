import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { nameColumn } from '#/kit/list/columns.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { addressColumn, sourcesColumn, stateColumn } from './columns.tsx'
import { JoinGroupDialog } from './JoinGroupDialog.tsx'
import { multicastGroupLink } from './links.ts'
import { groupsAt, groupsOf, type Membership } from './queries.ts'

const columns: Column<Membership>[] = [
  nameColumn<Membership>(({ name }) => multicastGroupLink(name)),
  addressColumn<Membership>(),
  stateColumn,
  sourcesColumn,
]

/** The multicast groups that an instance is a member of. */
export function MulticastCard({ project, instance }: { project: string; instance: string }) {
  const { data } = useQuery(groupsOf(project, instance))
  const [isJoining, setJoining] = useState(false)
  const whyNotAllowed = useWhyNotInProject(project)
  const whyLacking = useWhyLacking('multicast')
  const leave = useOp(op.instanceMulticastGroupLeave)
  const { path, query } = groupsAt(project, instance)
  const actions = ({ name, multicastGroupId }: Membership): MenuEntry[] => [
    {
      label: 'Leave group',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmAction({
          title: 'Confirm leave group',
          content: (
            <p>
              {instance} hears no more of <strong>{name}</strong>. A group ends with its last member.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Leaving',
          errorTitle: 'Could not leave multicast group',
          success: `${instance} left ${name}`,
          run: () => leave.run({ path: { ...path, multicastGroup: multicastGroupId }, query }),
        }),
    },
  ]
  return (
    <Card
      title="Multicast groups"
      flush
      actions={
        <>
          <PageLink to="/multicast-groups" className="link">
            All groups
          </PageLink>
          <Button disabledReason={whyNotAllowed ?? whyLacking} onClick={() => setJoining(true)}>
            Join group
          </Button>
        </>
      }
    >
      {data && (
        <Table
          inset
          label="Multicast groups"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          actions={actions}
          empty={<CardEmpty title="No multicast groups">This instance hears no group.</CardEmpty>}
        />
      )}
      {isJoining && (
        <JoinGroupDialog project={project} instance={instance} onClose={() => setJoining(false)} />
      )}
    </Card>
  )
}
