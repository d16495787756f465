import { useMemo } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { instanceLink } from '#/features/instances/links.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { type PoolAddress, poolAddresses } from './queries.ts'

const kinds: Record<PoolAddress['kind'], string> = {
  snat: 'SNAT',
  ephemeral: 'Ephemeral',
  floating: 'Floating',
}

/** Instances, probes and floating IPs with addresses from the pool. */
export function AddressesTab({ pool }: { pool: string }) {
  const { siloName } = useCurrentUser()
  return (
    <>
      <TabHead>Allocated addresses and who holds them. Instances can share a SNAT address.</TabHead>
      <ResourceTable
        label="Addresses"
        list={useListPage(poolAddresses(pool))}
        columns={useMemo(() => columnsFor(siloName), [siloName])}
        empty={<EmptyState title="No addresses allocated">Allocated addresses will show up here</EmptyState>}
      />
    </>
  )
}

/** Only pages of the user's own silo can be opened. */
const columnsFor = (ownSilo: string): Column<PoolAddress>[] => [
  {
    id: 'ip',
    header: 'Address',
    cell: ({ ip }) => <span className="font-mono text-[0.8125rem] text-strong">{ip}</span>,
  },
  {
    id: 'kind',
    header: 'Kind',
    part: 'state',
    cell: ({ kind, firstPort, lastPort }) =>
      kind === 'snat' ? <Tag kind="SNAT">{`${firstPort}-${lastPort}`}</Tag> : <Tag>{kinds[kind]}</Tag>,
  },
  {
    id: 'floating',
    header: 'Floating IP',
    isLabelled: true,
    cell: ({ floatingIp }) => floatingIp?.name ?? <EmptyCell />,
  },
  {
    id: 'instance',
    header: 'Instance',
    isLabelled: true,
    cell: ({ instance, probe, projectName, siloName }) => {
      if (probe)
        return (
          <>
            {probe.name} <Tag>Probe</Tag>
          </>
        )
      if (!instance) return <EmptyCell />
      if (projectName === null || siloName !== ownSilo) return instance.name
      return (
        <PageLink {...instanceLink(projectName, instance.name, 'networking')} className="link">
          {instance.name}
        </PageLink>
      )
    },
  },
  {
    id: 'owner',
    header: 'Silo / project',
    part: 'meta',
    cell: ({ siloName, projectName }) =>
      siloName === null ? <EmptyCell /> : [siloName, projectName].filter(Boolean).join(' / '),
  },
  createdColumn<PoolAddress>(),
]
