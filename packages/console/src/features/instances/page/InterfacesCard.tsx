// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import { addressesOf, transitIpsOf } from '@gantry/api/network/interface-addresses.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { descriptionColumn } from '#/kit/list/columns.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useAppliedRulesLink } from '#/features/firewall/use-applied-rules-link.tsx'
import { SubnetName, VpcName } from '#/features/vpcs/names.tsx'
import type { NetworkInterface } from '#/features/addresses/queries.ts'
import { whyNoMoreInterfaces } from '#/features/addresses/reasons.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { instanceInterfaces, instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'
import { StopFirst } from './StopFirst.tsx'
import { useInterfaceActions } from './use-interface-actions.tsx'

const AddInterface = lazyPart(() => import('#/features/addresses/InterfaceDialogs.tsx'), 'AddInterface')
const EditInterface = lazyPart(() => import('#/features/addresses/InterfaceDialogs.tsx'), 'EditInterface')

interface Props {
  project: string
  instance: string
}

const mono = 'font-mono text-[0.8125rem]'

const columnsIn = (project: string): Column<NetworkInterface>[] => [
  {
    id: 'name',
    header: 'Name',
    width: '18%',
    cell: ({ name, primary }) => (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <span className="font-medium text-strong">{name}</span>
        {primary && <Tag>primary</Tag>}
      </span>
    ),
  },
  descriptionColumn<NetworkInterface>(),
  {
    id: 'ip',
    header: 'Private IP',
    width: '15%',
    cell: (one) =>
      addressesOf(one).map((ip) => (
        <span key={ip} className="inline-flex items-center gap-1">
          <span className={mono}>{ip}</span>
          <CopyButton text={ip} />
        </span>
      )),
  },
  {
    id: 'vpc',
    header: 'VPC',
    width: '12%',
    part: 'meta',
    cell: ({ vpcId }) => <VpcName project={project} id={vpcId} />,
  },
  {
    id: 'subnet',
    header: 'Subnet',
    width: '12%',
    part: 'meta',
    cell: ({ vpcId, subnetId }) => <SubnetName vpcId={vpcId} id={subnetId} />,
  },
  {
    id: 'transit',
    header: 'Transit IPs',
    width: '17%',
    part: 'meta',
    cell: (one) => <TransitIps nets={transitIpsOf(one)} />,
  },
]

function TransitIps({ nets }: { nets: readonly string[] }) {
  if (nets.length === 0) return <EmptyCell />
  return (
    <TagList
      caption="Other transit IPs"
      items={nets.map((net) => ({ key: net, text: net, tag: <span className={mono}>{net}</span> }))}
    />
  )
}

const idOf = ({ id }: NetworkInterface): string => id

/** The network interfaces of an instance. */
export function InterfacesCard({ project, instance: name }: Props) {
  const columns = useMemo(() => columnsIn(project), [project])
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const { data: interfaces } = useSuspenseQuery(instanceInterfaces(project, name))
  const [isAdding, setAdding] = useState(false)
  const [editing, setEditing] = useState<string>()
  const changed = useChanged()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNotState = whyNotInstance('updateNetworkInterface', instance.runState)
  const whyNoMore = whyNotAllowed ?? whyNotState ?? whyNoMoreInterfaces(interfaces.items)
  const rulesLink = useAppliedRulesLink(project, name, interfaces.items[0]?.vpcId)
  const actions = useInterfaceActions({ project, instance, all: interfaces.items, onEdit: setEditing })

  usePaletteItems(whyNoMore ? [] : [{ label: 'Add network interface', run: () => setAdding(true) }])

  return (
    <Card
      title="Network interfaces"
      flush
      footer={rulesLink}
      actions={
        <>
          {whyNotState && <StopFirst project={project} instance={instance} to="add" />}
          <Button disabledReason={whyNoMore} onClick={() => setAdding(true)}>
            Add network interface
          </Button>
        </>
      }
    >
      <Table
        inset
        tight
        label="Network interfaces"
        columns={columns}
        rows={interfaces.items}
        rowKey={idOf}
        changedKeys={changed}
        actions={actions}
        empty={
          <CardEmpty title="No network interfaces">
            Without one, the instance has no network. Add one while it is stopped.
          </CardEmpty>
        }
      />
      {isAdding && <AddInterface project={project} instance={name} onClose={() => setAdding(false)} />}
      {editing && <EditInterface id={editing} instance={name} onClose={() => setEditing(undefined)} />}
    </Card>
  )
}
