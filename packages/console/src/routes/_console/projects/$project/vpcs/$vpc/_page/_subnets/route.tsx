import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import { useMemo } from 'react'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { routerLink, subnetLink } from '#/features/vpcs/links.ts'
import { allRouters, foundSubnets, type Subnet, subnetAt } from '#/features/vpcs/queries.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_subnets')({
  validateSearch: findSearch,
  loader: ({ params: { project, vpc }, ...visit }) =>
    loadList(visit, foundSubnets(project, vpc, findSearch(visit.location.search)), allRouters(project, vpc)),
  staticData: { crumb: { label: 'Subnets', to: '/projects/$project/vpcs/$vpc/subnets' } },
  component: Subnets,
})

const columnsIn = (project: string, vpc: string, routers: Names): Column<Subnet>[] => [
  taggedName(
    'vpc-subnet',
    nameColumn<Subnet>(({ name }) => subnetLink(project, vpc, name), { over: true }),
    project,
  ),
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
        <NameOf
          names={routers}
          id={customRouterId}
          gone={<Tag>Deleted</Tag>}
          linkOf={(name) => routerLink(project, vpc, name)}
        />
      ) : (
        <EmptyCell />
      ),
  },
  createdColumn<Subnet>(),
]

function Subnets() {
  const { project, vpc } = Route.useParams()
  const routers = useNames(allRouters(project, vpc))
  const query = foundSubnets(project, vpc, Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'vpc-subnet',
    pluralNoun: 'subnets',
    place: { project, vpc },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project, vpc, routers), [project, vpc, routers]),
  })
  return (
    <ResourceTab
      kind="subnet"
      label="Subnets"
      about="Instances get their private IPs from the IP blocks of a subnet."
      tall
      list={list}
      columns={columns}
      find={find}
      actions={useSubnetRowActions(project, vpc)}
      create={{
        link: { to: '/projects/$project/vpcs/$vpc/subnets-new', params: { project, vpc } },
        whyNot: useWhyNotNetworks(project),
      }}
      empty={{ title: 'No VPC subnets', text: 'Create a subnet to see it here' }}
    />
  )
}

function useSubnetRowActions(project: string, vpc: string): ActionsOf<Subnet> {
  const whyNotAllowed = useWhyNotNetworks(project)
  const remove = useDeletion(op.vpcSubnetDelete, 'vpc-subnet')
  return ({ id, name, ipv4Block }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: subnetLink(project, vpc, name),
      over: true,
    },
    ...tagActions('vpc-subnet', { id, name }, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmRecycling({
          kind: 'subnet',
          name,
          gone: 'It is gone for good then.',
          besides: `Its block ${ipv4Block} becomes free for other subnets.`,
          run: (isForGood, send) => remove({ id }, subnetAt(project, vpc, name), isForGood, send),
        }),
    },
  ]
}
