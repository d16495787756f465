import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Network from 'lucide-react/icons/network'
import { useMemo } from 'react'
import { createdColumn, descriptionColumn, nameColumn } from '../../../../../features/common/columns.tsx'
import type { Counts } from '../../../../../features/common/count-each.ts'
import { Known, type Late, lateOf } from '../../../../../features/common/Known.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { PathLink } from '../../../../../features/common/PathLink.tsx'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { firewallSizes } from '../../../../../features/networking/vpcs/firewall-sizes.ts'
import { vpcPaths } from '../../../../../features/networking/vpcs/paths.ts'
import { type Vpc, vpcsIn } from '../../../../../features/networking/vpcs/queries.ts'
import { VpcDocs } from '../../../../../features/networking/vpcs/VpcDocs.tsx'
import { formatNumber, plural } from '../../../../../ui/format.ts'
import type { Column } from '../../../../../ui/Table.tsx'
import { useVpcRowActions } from '../../../../../features/networking/vpcs/use-vpc-row-actions.tsx'

export const Route = createFileRoute('/_console/projects/$project/_vpcs')({
  validateSearch: pageSearch,
  loader: ({ context, params, location }) =>
    context.prefetch(vpcsIn(params.project).at(pageSearch(location.search).page)),
  staticData: { crumb: ({ project = '' }) => ({ label: 'VPCs', path: vpcPaths.list(project) }) },
  component: Vpcs,
})

const columnsIn = (project: string, sizes: Late<Counts>): Column<Vpc>[] => [
  nameColumn<Vpc>(({ name }) => vpcPaths.firewallRules(project, name)),
  {
    id: 'dns-name',
    header: 'DNS name',
    part: 'meta',
    cell: ({ dnsName }) => <span className="font-mono text-[0.8125rem]">{dnsName}</span>,
  },
  descriptionColumn<Vpc>(),
  {
    id: 'firewall-rules',
    header: 'Firewall Rules',
    align: 'right',
    width: '14%',
    cell: ({ id, name }) => (
      <Known
        of={sizes}
        render={(counts) => <Rules to={vpcPaths.firewallRules(project, name)} count={counts.get(id) ?? 0} />}
      />
    ),
  },
  createdColumn<Vpc>(),
]

function Rules({ to, count }: { to: string; count: number }) {
  return (
    <PathLink to={to} className="link">
      {formatNumber(count)}
      {/* Without the head of the table a number alone says nothing. */}
      <span className="md:sr-only"> {plural('firewall rule', count)}</span>
    </PathLink>
  )
}

function Vpcs() {
  const { project } = Route.useParams()
  const list = useListPage(vpcsIn(project))
  const actions = useVpcRowActions(project)
  const sizes = lateOf(useQuery(firewallSizes(project, list.rows ?? [])))
  const columns = useMemo(() => columnsIn(project, sizes), [project, sizes])
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = vpcPaths.create(project)

  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'New VPC', to: createTo }]),
    ...(list.rows ?? []).map(({ name }) => ({
      label: name,
      group: 'Go to VPC',
      icon: Network,
      to: vpcPaths.firewallRules(project, name),
    })),
  ])

  return (
    <ResourceList
      title="VPCs"
      docs={<VpcDocs />}
      create={{ to: createTo, label: 'New VPC', whyNot: whyNotAllowed }}
      empty={{ title: 'No VPCs', text: 'Create a VPC to see it here' }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
