import { createFileRoute } from '@tanstack/react-router'
import Split from 'lucide-react/icons/split'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { subnetPoolLink } from '#/features/subnet-pools/links.ts'
import { SubnetPoolDocs, useSubnetPoolRowActions } from '#/features/subnet-pools/parts.tsx'
import { foundSubnetPools, type SubnetPoolWithUse } from '#/features/subnet-pools/queries.ts'
import { Fraction } from '#/features/system-ip-pools/columns.tsx'
import type { Column } from '#/ui/data/column.ts'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/networking/_subnet-pools')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, foundSubnetPools(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Subnet Pools', to: '/system/networking/subnet-pools' } },
  component: SubnetPools,
})

const everywhere = {}

function SubnetPools() {
  const query = foundSubnetPools(Route.useSearch())
  const list = useListPage(query)
  const { columns: shown, find } = useFound({
    kind: 'subnet-pool',
    pluralNoun: 'subnet pools',
    place: everywhere,
    list: query,
    rows: list.rows,
    columns,
  })
  return (
    <ResourceList
      kind="subnet pool"
      icon={Split}
      title="Subnet Pools"
      docs={<SubnetPoolDocs />}
      list={list}
      columns={shown}
      find={find}
      actions={useSubnetPoolRowActions()}
      rowEntry={({ name }) => ({ label: name, link: subnetPoolLink(name) })}
      create={{
        link: { to: '/system/networking/subnet-pools-new' },
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No subnet pools', text: 'Create a subnet pool to see it here' }}
    />
  )
}

const columns: Column<SubnetPoolWithUse>[] = [
  nameColumn<SubnetPoolWithUse>(({ name }) => subnetPoolLink(name)),
  descriptionColumn<SubnetPoolWithUse>(),
  { id: 'version', header: 'IP version', part: 'state', cell: ({ ipVersion }) => <Tag>{ipVersion}</Tag> },
  {
    id: 'silos',
    header: 'Silos',
    align: 'right',
    isLabelled: true,
    cell: ({ silos }) =>
      Number.isNaN(silos) ? <EmptyCell /> : <span className="tabular-nums">{formatNumber(silos)}</span>,
  },
  {
    id: 'use',
    header: 'Utilization',
    part: 'line',
    cell: ({ utilization: { capacity, remaining } }) => {
      if (Number.isNaN(capacity)) return <EmptyCell />
      const percent = percentOf(capacity - remaining, capacity)
      return (
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          <Fraction part={capacity - remaining} whole={capacity} />
          {percent !== undefined && <MiniGauge label="Addresses allocated" used={percent} />}
        </span>
      )
    },
  },
  createdColumn<SubnetPoolWithUse>(),
]
