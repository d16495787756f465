import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import DoorOpen from 'lucide-react/icons/door-open'
import { useMemo } from 'react'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DeferredValue } from '#/kit/page/deferred.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { deletionOf } from '#/features/vpcs/gateways/consequences.ts'
import { type GatewayParts, known, routesTo, useGatewayParts } from '#/features/vpcs/gateways/parts.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { gatewayLink } from '#/features/vpcs/links.ts'
import {
  allRouters,
  foundGateways,
  type Gateway,
  type GatewayAddress,
  type GatewayPool,
} from '#/features/vpcs/queries.ts'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Term } from '#/ui/data/Term.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways')({
  validateSearch: findSearch,
  loader: ({ params: { project, vpc }, ...visit }) =>
    loadList(
      visit,
      foundGateways(project, vpc, findSearch(visit.location.search)),
      allRouters(project, vpc),
      allIpPools,
    ),
  staticData: { crumb: { label: 'Internet Gateways', to: '/projects/$project/vpcs/$vpc/internet-gateways' } },
  component: Gateways,
})

const columnsIn = (
  project: string,
  vpc: string,
  { pools, addresses, routes }: GatewayParts,
): Column<Gateway>[] => [
  taggedName(
    'internet-gateway',
    nameColumn<Gateway>(({ name }) => gatewayLink(project, vpc, name), { over: true }),
    project,
  ),
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
  const query = foundGateways(project, vpc, Route.useSearch())
  const list = useListPage(query)
  const parts = useGatewayParts(project, vpc, list.rows)
  const { pools, addresses, routes } = parts
  const { columns, find } = useFound({
    kind: 'internet-gateway',
    pluralNoun: 'internet gateways',
    place: { project, vpc },
    list: query,
    rows: list.rows,
    columns: useMemo(
      () => columnsIn(project, vpc, { pools, addresses, routes }),
      [project, vpc, pools, addresses, routes],
    ),
  })
  return (
    <ResourceTab
      kind="internet gateway"
      icon={DoorOpen}
      label="Internet Gateways"
      about="Traffic leaves the VPC through an internet gateway, as directed by routes."
      list={list}
      columns={columns}
      find={find}
      actions={useGatewayRowActions(project, vpc, parts)}
      rowEntry={({ name }) => ({ label: name, link: gatewayLink(project, vpc, name), over: true })}
      create={{
        link: { to: '/projects/$project/vpcs/$vpc/internet-gateways-new', params: { project, vpc } },
        whyNot: useWhyNotNetworks(project),
      }}
      empty={{ title: 'No internet gateways', text: 'Create an internet gateway to see it here' }}
    />
  )
}

function useGatewayRowActions(
  project: string,
  vpc: string,
  { pools, addresses, routes }: GatewayParts,
): ActionsOf<Gateway> {
  const whyNotAllowed = useWhyNotNetworks(project)
  const remove = useOp(op.internetGatewayDelete)
  const isLoading = [pools, addresses, routes].includes(undefined)
  return (gateway) => [
    ...tagActions('internet-gateway', gateway, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? (isLoading ? 'Loading attachments and routes' : undefined),
      onSelect: () => {
        const { cascade, sentences } = deletionOf(gateway, {
          pools: known(pools),
          addresses: known(addresses),
          routes: known(routes),
        })
        confirmDelete({
          kind: 'internet gateway',
          name: gateway.name,
          gone: 'Nothing leaves the VPC through it any more.',
          ...(sentences.length > 0 && { extra: sentences.join(' ') }),
          run: () =>
            remove.run({
              path: { gateway: gateway.name },
              query: { project, vpc, ...(cascade && { cascade }) },
            }),
        })
      },
    },
  ]
}
