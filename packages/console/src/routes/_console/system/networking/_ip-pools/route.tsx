import { createFileRoute } from '@tanstack/react-router'
import Waypoints from 'lucide-react/icons/waypoints'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { loadList } from '#/features/common/loaders.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { poolColumns } from '#/features/system-ip-pools/columns.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { poolsWithUse } from '#/features/system-ip-pools/queries.ts'
import { PoolDocs, usePoolRowActions } from '#/features/system-ip-pools/parts.tsx'

export const Route = createFileRoute('/_console/system/networking/_ip-pools')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, poolsWithUse),
  staticData: { crumb: { label: 'IP Pools', to: '/system/networking/ip-pools' } },
  component: IpPools,
})

function IpPools() {
  return (
    <ResourceList
      kind="IP pool"
      icon={Waypoints}
      title="IP Pools"
      docs={<PoolDocs />}
      list={useListPage(poolsWithUse)}
      columns={poolColumns}
      actions={usePoolRowActions()}
      rowEntry={({ name }) => ({ label: name, link: poolLink(name) })}
      create={{
        link: { to: '/system/networking/ip-pools-new' },
        label: 'New IP Pool',
        emptyLabel: 'New IP pool',
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No IP pools', text: 'Create an IP pool to see it here' }}
    >
      <p className="mb-3 text-muted">
        The services of the rack have a pool of their own:{' '}
        <PageLink to="/system/networking/ip-pools-service" className="link">
          service pool
        </PageLink>
        .
      </p>
    </ResourceList>
  )
}
