import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Waypoints from 'lucide-react/icons/waypoints'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { deferredOf } from '#/kit/page/deferred.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { poolColumns } from '#/features/system-ip-pools/columns.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { poolsWithUse, usesOf } from '#/features/system-ip-pools/queries.ts'
import { PoolDocs, usePoolRowActions } from '#/features/system-ip-pools/parts.tsx'

export const Route = createFileRoute('/_console/system/networking/_ip-pools')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, poolsWithUse),
  staticData: { crumb: { label: 'IP Pools', to: '/system/networking/ip-pools' } },
  component: IpPools,
})

function IpPools() {
  const list = useListPage(poolsWithUse)
  const refetchInterval = usePolling(pollSlowly())
  const uses = deferredOf(useQuery({ ...usesOf(list.rows ?? []), refetchInterval }))
  return (
    <ResourceList
      kind="IP pool"
      icon={Waypoints}
      title="IP Pools"
      docs={<PoolDocs />}
      list={list}
      columns={useMemo(() => poolColumns(uses), [uses])}
      actions={usePoolRowActions()}
      rowEntry={({ name }) => ({ label: name, link: poolLink(name) })}
      create={{
        link: { to: '/system/networking/ip-pools-new' },
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No IP pools', text: 'Create an IP pool to see it here' }}
    />
  )
}
