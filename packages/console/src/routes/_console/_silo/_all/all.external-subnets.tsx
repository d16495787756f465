import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { attachedColumn, nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyExternalSubnet } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { bulkExternalSubnets } from '#/features/addresses/external-subnets/bulk.ts'
import { externalSubnetLink } from '#/features/addresses/external-subnets/links.ts'
import type { ExternalSubnet } from '#/features/addresses/external-subnets/queries.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'

export const Route = createFileRoute('/_console/_silo/_all/all/external-subnets')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyExternalSubnet(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'External Subnets', to: '/all/external-subnets' } },
  component: All,
})

const columnsWith = (details: Details): Column<ExternalSubnet>[] => [
  nameIn(details, ({ name }, project) =>
    project === undefined ? undefined : externalSubnetLink(project, name),
  ),
  projectColumn(details, (project) => ({ to: '/projects/$project/external-subnets', params: { project } })),
  { id: 'subnet', header: 'Block', part: 'state', cell: ({ subnet }) => <CopyableId id={subnet} max={43} /> },
  attachedColumn(details, (project, name) => instanceLink(project, name, 'networking')),
  createdColumn<ExternalSubnet>(),
]

const bulk = bulkExternalSubnets(undefined)

function All() {
  return (
    <AllList
      label="External subnets"
      kind="external-subnet"
      pluralNoun="external subnets"
      list={everyExternalSubnet(Route.useSearch())}
      columnsWith={columnsWith}
      bulk={bulk}
    />
  )
}
