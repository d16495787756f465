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
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { poolColumns } from '#/features/system-ip-pools/columns.tsx'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { foundPools, usesOf } from '#/features/system-ip-pools/queries.ts'
import { PoolDocs, usePoolRowActions } from '#/features/system-ip-pools/parts.tsx'

export const Route = createFileRoute('/_console/system/networking/_ip-pools')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, foundPools(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'IP Pools', to: '/system/networking/ip-pools' } },
  component: IpPools,
})

const everywhere = {}

function IpPools() {
  const query = foundPools(Route.useSearch())
  const list = useListPage(query)
  const refetchInterval = usePolling(pollSlowly())
  const uses = deferredOf(useQuery({ ...usesOf(list.rows ?? []), refetchInterval }))
  const { columns, find } = useFound({
    kind: 'ip-pool',
    pluralNoun: 'IP pools',
    place: everywhere,
    list: query,
    rows: list.rows,
    columns: useMemo(() => poolColumns(uses), [uses]),
  })
  return (
    <ResourceList
      kind="IP pool"
      icon={Waypoints}
      title="IP Pools"
      docs={<PoolDocs />}
      list={list}
      columns={columns}
      find={find}
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
