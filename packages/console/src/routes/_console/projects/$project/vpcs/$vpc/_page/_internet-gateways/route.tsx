import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createdColumn, descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import { DeferredValue, type Deferred, deferredOf } from '#/features/common/DeferredValue.tsx'
import type { LinkTarget } from '#/features/common/link-target.ts'
import { loadList } from '#/features/common/load-list.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { IpPoolName } from '#/features/ip-pools/IpPoolName.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { routesTo } from '#/features/vpcs/gateways/routes-to.ts'
import { gatewayLink } from '#/features/vpcs/links.ts'
import {
  allRouters,
  type Gateway,
  type GatewayAddress,
  gatewayAddresses,
  type GatewayPool,
  gatewayPools,
  gatewaysIn,
  type Route as VpcRoute,
  routesOf,
} from '#/features/vpcs/queries.ts'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { formatNumber, plural } from '#/ui/format.ts'
import type { Column } from '#/ui/column.ts'
import { Term } from '#/ui/Term.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways')({
  validateSearch: pageSearch,
  loader: ({ params: { project, vpc }, ...visit }) =>
    loadList(visit, gatewaysIn(project, vpc), allRouters(project, vpc), allIpPools),
  staticData: { crumb: { label: 'Internet Gateways', to: '/projects/$project/vpcs/$vpc/internet-gateways' } },
  component: Gateways,
})

/** Data of the gateways that loads after the rows. */
interface Parts {
  pools: Deferred<readonly GatewayPool[]>
  addresses: Deferred<readonly GatewayAddress[]>
  routes: Deferred<readonly VpcRoute[]>
}

const columnsIn = (project: string, vpc: string, { pools, addresses, routes }: Parts): Column<Gateway>[] => [
  nameColumn<Gateway>(({ name }) => gatewayLink(project, vpc, name)),
  descriptionColumn<Gateway>(),
  {
    id: 'pool',
    header: 'Attached IP Pool',
    part: 'meta',
    cell: ({ id }) => <DeferredValue of={pools} render={(all) => <Pool of={id} pools={all} />} />,
  },
  {
    id: 'address',
    header: (
      <Term tip="Without an attached address, one from the attached IP pool is used.">
        Attached IP Address
      </Term>
    ),
    part: 'meta',
    cell: ({ id }) => <DeferredValue of={addresses} render={(all) => <Address of={id} addresses={all} />} />,
  },
  {
    id: 'routes',
    header: 'Routes',
    align: 'right',
    width: '10%',
    cell: (gateway) => (
      <DeferredValue
        of={routes}
        render={(all) => (
          <RouteCount link={gatewayLink(project, vpc, gateway.name)} count={routesTo(gateway, all).length} />
        )}
      />
    ),
  },
  createdColumn<Gateway>(),
]

function Pool({ of: gateway, pools }: { of: string; pools: readonly GatewayPool[] }) {
  const pool = pools.find(({ internetGatewayId }) => internetGatewayId === gateway)
  return pool ? <IpPoolName id={pool.ipPoolId} /> : <EmptyCell />
}

function Address({ of: gateway, addresses }: { of: string; addresses: readonly GatewayAddress[] }) {
  const first = addresses.find(({ internetGatewayId }) => internetGatewayId === gateway)
  if (!first) return <EmptyCell />
  return (
    <span className="inline-flex items-center gap-1 font-mono text-[0.8125rem]">
      {first.address}
      <CopyButton text={first.address} />
    </span>
  )
}

function RouteCount({ link, count }: { link: LinkTarget; count: number }) {
  if (count === 0) return <EmptyCell />
  return (
    <PageLink {...link} over className="link">
      {formatNumber(count)}
      {/* On a card without column heads, a number needs its noun. */}
      <span className="md:sr-only"> {plural('route', count)}</span>
    </PageLink>
  )
}

function Gateways() {
  const { project, vpc } = Route.useParams()
  const list = useListPage(gatewaysIn(project, vpc))
  const { data: routers } = useQuery(allRouters(project, vpc))
  const pools = deferredOf(useQuery(gatewayPools(list.rows)))
  const addresses = deferredOf(useQuery(gatewayAddresses(list.rows)))
  const routes = deferredOf(useQuery(routesOf(routers)))
  const columns = useMemo(
    () => columnsIn(project, vpc, { pools, addresses, routes }),
    [project, vpc, pools, addresses, routes],
  )
  return (
    <>
      <TabHead>Traffic leaves the VPC through an internet gateway, as directed by routes.</TabHead>
      <ResourceTable
        label="Internet Gateways"
        list={list}
        columns={columns}
        empty={
          <EmptyState title="No internet gateways">Create an internet gateway to see it here</EmptyState>
        }
      />
      <Outlet />
    </>
  )
}
