import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  createdColumn,
  descriptionColumn,
  nameColumn,
} from '../../../../../../../../features/common/columns.tsx'
import { usePaletteItems } from '../../../../../../../../features/common/palette-items.ts'
import { PathLink } from '../../../../../../../../features/common/PathLink.tsx'
import { useWhyNotInProject } from '../../../../../../../../features/common/project-permission.ts'
import { ResourceTab } from '../../../../../../../../features/common/ResourceTab.tsx'
import { pageSearch, useListPage } from '../../../../../../../../features/common/use-list-page.ts'
import type { Subnet } from '../../../../../../../../features/networking/queries.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { allRouters, subnetsIn } from '../../../../../../../../features/networking/vpcs/queries.ts'
import { Skeleton } from '../../../../../../../../ui/Skeleton.tsx'
import type { Column } from '../../../../../../../../ui/Table.tsx'
import { Tag } from '../../../../../../../../ui/Tag.tsx'
import { EmptyCell } from '../../../../../../../../ui/Truncate.tsx'
import { useSubnetRowActions } from '../../../../../../../../features/networking/vpcs/subnets/use-subnet-row-actions.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_subnets')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc }, location }) => {
    // Begun here, so that names are there with the rows or soon after.
    void context.queryClient.prefetchQuery(allRouters(project, vpc))
    return context.prefetch(subnetsIn(project, vpc).at(pageSearch(location.search).page))
  },
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({ label: 'Subnets', path: vpcPaths.subnets(project, vpc) }),
  },
  component: Subnets,
})

/** Names by id; undefined while they are on their way. */
type Names = ReadonlyMap<string, string> | undefined

const columnsIn = (project: string, vpc: string, routers: Names): Column<Subnet>[] => [
  nameColumn<Subnet>(({ name }) => vpcPaths.subnetEdit(project, vpc, name)),
  descriptionColumn<Subnet>(),
  {
    id: 'ip-block',
    header: 'IP Block',
    cell: ({ ipv4Block, ipv6Block }) => (
      <span className="inline-block align-middle font-mono text-[0.8125rem]">
        {ipv4Block}
        <br />
        {ipv6Block}
      </span>
    ),
  },
  {
    id: 'custom-router',
    header: 'Custom Router',
    part: 'meta',
    cell: ({ customRouterId }) =>
      customRouterId ? (
        <Router project={project} vpc={vpc} routers={routers} id={customRouterId} />
      ) : (
        <EmptyCell />
      ),
  },
  createdColumn<Subnet>(),
]

interface RouterProps {
  project: string
  vpc: string
  routers: Names
  id: string
}

function Router({ project, vpc, routers, id }: RouterProps) {
  if (!routers) return <Skeleton />
  const name = routers.get(id)
  if (name === undefined) return <Tag>Deleted</Tag>
  return (
    <PathLink to={vpcPaths.router(project, vpc, name)} className="link">
      {name}
    </PathLink>
  )
}

function Subnets() {
  const { project, vpc } = Route.useParams()
  const list = useListPage(subnetsIn(project, vpc))
  const actions = useSubnetRowActions(project, vpc)
  const { data: routers } = useQuery(allRouters(project, vpc))
  const columns = useMemo(
    () => columnsIn(project, vpc, routers && new Map(routers.map(({ id, name }) => [id, name]))),
    [project, vpc, routers],
  )
  const whyNotAllowed = useWhyNotInProject(project)
  const createTo = vpcPaths.subnetCreate(project, vpc)

  usePaletteItems(whyNotAllowed ? [] : [{ label: 'New subnet', to: createTo }])

  return (
    <>
      <ResourceTab
        label="Subnets"
        about="Instances get their private IPs from the IP blocks of a subnet."
        tall
        create={{ to: createTo, label: 'New subnet', whyNot: whyNotAllowed }}
        empty={{ title: 'No VPC subnets', text: 'Create a subnet to see it here' }}
        list={list}
        columns={columns}
        actions={actions}
      />
      <Outlet />
    </>
  )
}
