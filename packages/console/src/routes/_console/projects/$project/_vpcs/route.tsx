import * as op from '@gantry/api/client/operations.gen'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Network from 'lucide-react/icons/network'
import { useMemo } from 'react'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf } from '#/data/queries.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { readEach, type Counts } from '#/kit/page/read-each.ts'
import { type Deferred, deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { bulkVpcs } from '#/features/vpcs/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { foundVpcs, type Vpc } from '#/features/vpcs/queries.ts'
import { useVpcRowActions, VpcDocs } from '#/features/vpcs/parts.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import type { Column } from '#/ui/data/column.ts'

export const Route = createFileRoute('/_console/projects/$project/_vpcs')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundVpcs(project, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'VPCs', to: '/projects/$project/vpcs' } },
  component: Vpcs,
})

const columnsIn = (project: string, sizes: Deferred<Counts>): Column<Vpc>[] => [
  taggedName(
    'vpc',
    protectedName(
      nameColumn<Vpc>(({ name }) => vpcLink(project, name)),
      project,
    ),
    project,
  ),
  {
    id: 'dns-name',
    header: 'DNS name',
    part: 'meta',
    cell: ({ dnsName }) => <span className="font-mono text-[0.8125rem]">{dnsName}</span>,
  },
  descriptionColumn<Vpc>(),
  {
    id: 'firewall-rules',
    header: 'Firewall Rules',
    align: 'right',
    width: '14%',
    cell: ({ id, name }) => (
      <DeferredValue
        of={sizes}
        render={(counts) => <Rules link={vpcLink(project, name)} count={counts.get(id) ?? 0} />}
      />
    ),
  },
  createdColumn<Vpc>(),
]

function Rules({ link, count }: { link: LinkTarget; count: number }) {
  return (
    <PageLink {...link} className="link">
      {formatNumber(count)}
      {/* On a card without column heads, a number needs its noun. */}
      <span className="md:sr-only"> {plural('firewall rule', count)}</span>
    </PageLink>
  )
}

function Vpcs() {
  const { project } = Route.useParams()
  const whyNotAllowed = useWhyNotNetworks(project)
  const query = foundVpcs(project, Route.useSearch())
  const list = useListPage(query)
  const { actions, dialog } = useVpcRowActions(project)
  const sizes = deferredOf(useQuery(firewallSizes(project, list.rows ?? [])))
  const { columns, find } = useFound({
    kind: 'vpc',
    pluralNoun: 'VPCs',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project, sizes), [project, sizes]),
    bulk: bulkVpcs(whyNotAllowed),
  })
  return (
    <ResourceList
      kind="VPC"
      icon={Network}
      title="VPCs"
      docs={<VpcDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: vpcLink(project, name) })}
      create={{
        link: { to: '/projects/$project/vpcs-new', params: { project } },
        whyNot: whyNotAllowed,
      }}
      empty={{ title: 'No VPCs', text: 'Create a VPC to see it here' }}
    >
      {dialog}
    </ResourceList>
  )
}

/**
 * Rule counts of the VPCs on a page: one request, or several with limited concurrency where the server lacks that
 * operation.
 */
const firewallSizes = (project: string, shown: readonly Pick<Vpc, 'id'>[]) => {
  const ids = shown.map(({ id }) => id)
  return queryOptions<Counts, Failure>({
    queryKey: [op.vpcFirewallSizeList.name, { query: { project }, ids }],
    meta: metaOf(op.vpcFirewallSizeList),
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call(op.vpcFirewallSizeList, { query: { project } }, { signal })
        return new Map(data.items.map(({ vpcId, rules }) => [vpcId, rules]))
      } catch (error) {
        if (!isAbsent(op.vpcFirewallSizeList)) throw error
        return readEach(ids, signal, (id) => countRules(id, signal))
      }
    },
    enabled: ids.length > 0,
  })
}

async function countRules(vpc: string, signal: AbortSignal): Promise<number> {
  const { data } = await call(op.vpcFirewallRulesView, { query: { vpc } }, { signal })
  return data.rules.length
}
