import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyVpc } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn, descriptionColumn } from '#/kit/list/columns.tsx'
import { bulkVpcs } from '#/features/vpcs/bulk.ts'
import { vpcLink } from '#/features/vpcs/links.ts'
import type { Vpc } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/_silo/_all/all/vpcs')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyVpc(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'VPCs', to: '/all/vpcs' } },
  component: All,
})

const columnsWith = (details: Details): Column<Vpc>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : vpcLink(project, name))),
  projectColumn(details, (project) => ({ to: '/projects/$project/vpcs', params: { project } })),
  {
    id: 'dns-name',
    header: 'DNS name',
    part: 'meta',
    cell: ({ dnsName }) => <span className="font-mono text-[0.8125rem]">{dnsName}</span>,
  },
  descriptionColumn<Vpc>(),
  createdColumn<Vpc>(),
]

const bulk = bulkVpcs(undefined)

function All() {
  return (
    <AllList
      label="VPCs"
      kind="vpc"
      pluralNoun="VPCs"
      list={everyVpc(Route.useSearch())}
      columnsWith={columnsWith}
      bulk={bulk}
    />
  )
}
