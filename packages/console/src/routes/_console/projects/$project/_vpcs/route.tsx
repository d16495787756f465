import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { lazy, useMemo } from 'react'
import { createdColumn, descriptionColumn, nameColumn } from '../../../../../features/common/columns.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { ResourceList } from '../../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { vpcPaths } from '../../../../../features/networking/vpcs/paths.ts'
import { type Vpc, vpcsIn } from '../../../../../features/networking/vpcs/queries.ts'
import { VpcDocs } from '../../../../../features/networking/vpcs/VpcDocs.tsx'
import { patiently } from '../../../../../ui/late.ts'
import type { Column } from '../../../../../ui/Table.tsx'

const VpcRowActions = lazy(async () => ({
  default: (await patiently(() => import('../../../../../features/networking/vpcs/VpcRowActions.tsx')))
    .VpcRowActions,
}))

export const Route = createFileRoute('/_console/projects/$project/_vpcs')({
  validateSearch: pageSearch,
  loader: ({ context, params, location }) =>
    context.prefetch(vpcsIn(params.project).at(pageSearch(location.search).page)),
  staticData: { crumb: ({ project = '' }) => ({ label: 'VPCs', path: vpcPaths.list(project) }) },
  component: Vpcs,
})

const columnsIn = (project: string): Column<Vpc>[] => [
  nameColumn<Vpc>(({ name }) => vpcPaths.firewallRules(project, name)),
  {
    id: 'dns-name',
    header: 'DNS name',
    part: 'meta',
    cell: ({ dnsName }) => <span className="font-mono text-[0.8125rem]">{dnsName}</span>,
  },
  descriptionColumn<Vpc>(),
  createdColumn<Vpc>(),
]

function Vpcs() {
  const { project } = Route.useParams()
  const list = useListPage(vpcsIn(project))
  const columns = useMemo(() => columnsIn(project), [project])
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
      renderActions={(offer) => <VpcRowActions project={project} offer={offer} />}
    />
  )
}
