import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { attachedColumn, nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyFloatingIp } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { bulkFloatingIps } from '#/features/addresses/floating-ips/bulk.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import type { FloatingIp } from '#/features/addresses/queries.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'

export const Route = createFileRoute('/_console/_silo/_all/all/floating-ips')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyFloatingIp(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Floating IPs', to: '/all/floating-ips' } },
  component: All,
})

const columnsWith = (details: Details): Column<FloatingIp>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : floatingIpLink(project, name))),
  projectColumn(details, (project) => ({ to: '/projects/$project/floating-ips', params: { project } })),
  { id: 'ip', header: 'IP address', part: 'state', cell: ({ ip }) => <CopyableId id={ip} max={39} /> },
  attachedColumn(details, (project, name) => instanceLink(project, name, 'networking')),
  createdColumn<FloatingIp>(),
]

const bulk = bulkFloatingIps(undefined)

function All() {
  return (
    <AllList
      label="Floating IPs"
      kind="floating-ip"
      pluralNoun="floating IPs"
      list={everyFloatingIp(Route.useSearch())}
      columnsWith={columnsWith}
      bulk={bulk}
    />
  )
}
