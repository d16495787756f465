import { createFileRoute } from '@tanstack/react-router'
import Waypoints from 'lucide-react/icons/waypoints'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { externalSubnetLink } from '#/features/addresses/external-subnets/links.ts'
import {
  allSubnetPools,
  type ExternalSubnet,
  foundExternalSubnets,
} from '#/features/addresses/external-subnets/queries.ts'
import { HolderName, SubnetPoolName } from '#/features/addresses/external-subnets/parts.tsx'
import {
  ExternalSubnetDocs,
  useExternalSubnetRowActions,
} from '#/features/addresses/external-subnets/use-external-subnet-row-actions.tsx'
import { type Holders, useHolders } from '#/features/addresses/holders.ts'
import { bulkExternalSubnets } from '#/features/addresses/external-subnets/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'

export const Route = createFileRoute('/_console/projects/$project/_external-subnets')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundExternalSubnets(project, findSearch(visit.location.search)), allSubnetPools),
  staticData: { crumb: { label: 'External Subnets', to: '/projects/$project/external-subnets' } },
  component: ExternalSubnets,
})

function ExternalSubnets() {
  const { project } = Route.useParams()
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundExternalSubnets(project, Route.useSearch())
  const list = useListPage(query, { poll: pollSlowly })
  const holders = useHolders(project, list.rows ?? [])
  const { actions, dialog } = useExternalSubnetRowActions(project, holders)
  const { columns, find } = useFound({
    kind: 'external-subnet',
    pluralNoun: 'external subnets',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsFor(project, holders), [project, holders]),
    bulk: bulkExternalSubnets(whyNotAllowed),
  })
  return (
    <ResourceList
      kind="external subnet"
      icon={Waypoints}
      title="External Subnets"
      docs={<ExternalSubnetDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name, subnet }) => ({
        label: name,
        hint: subnet,
        link: externalSubnetLink(project, name),
      })}
      create={{
        link: { to: '/projects/$project/external-subnets-new', params: { project } },
        whyNot: whyNotAllowed,
      }}
      empty={{ title: 'No external subnets', text: 'Create an external subnet to see it here' }}
    >
      {dialog}
    </ResourceList>
  )
}

const columnsFor = (project: string, holders: Holders): Column<ExternalSubnet>[] => [
  taggedName(
    'external-subnet',
    protectedName(
      nameColumn<ExternalSubnet>(({ name }) => externalSubnetLink(project, name)),
      project,
    ),
    project,
  ),
  descriptionColumn<ExternalSubnet>(),
  { id: 'subnet', header: 'Block', part: 'state', cell: ({ subnet }) => <CopyableId id={subnet} max={43} /> },
  {
    id: 'pool',
    header: 'Subnet pool',
    part: 'meta',
    cell: ({ subnetPoolId }) => <SubnetPoolName id={subnetPoolId} />,
  },
  {
    id: 'instance',
    header: 'Attached to instance',
    part: 'meta',
    cell: (subnet) => <HolderName project={project} holders={holders} of={subnet} />,
  },
]
