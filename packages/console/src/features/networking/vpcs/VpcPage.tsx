import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, useState } from 'react'
import { CopyableId, CopyButton } from '../../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../../ui/DataPlate.tsx'
import type { MenuEntry, MenuLinkProps } from '../../../ui/Menu.tsx'
import { MoreActions } from '../../../ui/RowMenu.tsx'
import { PageHead } from '../../common/ListPage.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { DescriptionItem, TimeItems } from '../../common/plate-items.tsx'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import { RouteTabs } from '../../common/RouteTabs.tsx'
import { vpcPaths } from './paths.ts'
import { type Vpc, vpcView } from './queries.ts'
import { useDeleteVpc } from './use-delete-vpc.ts'
import { VpcDocs } from './VpcDocs.tsx'

/** The tabs that exist, and the last part of their paths. */
const tabs = [
  { id: 'firewall-rules', label: 'Firewall Rules' },
  { id: 'subnets', label: 'Subnets' },
  { id: 'routers', label: 'Routers' },
  { id: 'internet-gateways', label: 'Internet Gateways' },
  { id: 'map', label: 'Map' },
] as const

interface Props {
  project: string
  vpc: string
  children: ReactNode
}

/** What all tabs of a VPC have above them. */
export function VpcPage({ project, vpc: name, children }: Props) {
  const navigate = useNavigate()
  const [isGoing, setGoing] = useState(false)
  const { data: vpc, error } = useSuspenseQuery(vpcView(project, name))
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeleteVpc(project, (is) => {
    setGoing(is !== 'refused')
    if (is === 'done') void navigate({ to: '/projects/$project/vpcs', params: { project } })
  })
  // Deleted by somebody else: there is nothing left to look at.
  if (error?.statusCode === 404 && !isGoing) throw error

  const editLink = (props: MenuLinkProps) => <PathLink to={vpcPaths.edit(project, name)} over {...props} />
  const entries = (): MenuEntry[] => [
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
        title={vpc.name}
        docs={<VpcDocs />}
        actions={<MoreActions label="VPC actions" entries={entries} />}
      />
      <Plate vpc={vpc} />
      <RouteTabs label="VPC" base={vpcPaths.view(project, name)} tabs={tabs}>
        {children}
      </RouteTabs>
    </>
  )
}

function Plate({ vpc }: { vpc: Vpc }) {
  const { description, dnsName, ipv6Prefix, id } = vpc
  return (
    <DataPlate>
      <DescriptionItem description={description} />
      <DataItem label="DNS Name">
        <Copyable text={dnsName} />
      </DataItem>
      <DataItem label="IPv6 Prefix">
        <Copyable text={ipv6Prefix} />
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={id} max={24} />
      </DataItem>
      <TimeItems of={vpc} changed="Last Modified" />
    </DataPlate>
  )
}

function Copyable({ text }: { text: string }) {
  return (
    <>
      <span className="font-mono text-[0.8125rem]">{text}</span>
      <CopyButton text={text} />
    </>
  )
}
