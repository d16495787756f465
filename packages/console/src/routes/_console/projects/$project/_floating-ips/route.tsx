import { createFileRoute } from '@tanstack/react-router'
import MapPin from 'lucide-react/icons/map-pin'
import { useMemo } from 'react'
import { loadList } from '#/kit/page/loaders.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { floatingIpLink } from '#/features/addresses/floating-ips/links.ts'
import { foundFloatingIps } from '#/features/addresses/floating-ips/queries.ts'
import {
  FloatingIpDocs,
  useFloatingIpRowActions,
} from '#/features/addresses/floating-ips/use-floating-ip-row-actions.tsx'
import { holderOf, type Holders, useHolders } from '#/features/addresses/holders.ts'
import type { FloatingIp } from '#/features/addresses/queries.ts'
import { descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { DeferredValue } from '#/kit/page/deferred.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { bulkFloatingIps } from '#/features/addresses/floating-ips/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_floating-ips')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundFloatingIps(project, findSearch(visit.location.search)), allIpPools),
  staticData: { crumb: { label: 'Floating IPs', to: '/projects/$project/floating-ips' } },
  component: FloatingIps,
})

function FloatingIps() {
  const { project } = Route.useParams()
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundFloatingIps(project, Route.useSearch())
  const list = useListPage(query, { poll: pollSlowly })
  const holders = useHolders(project, list.rows ?? [])
  const { actions, dialog } = useFloatingIpRowActions(project, holders)
  const { columns, find } = useFound({
    kind: 'floating-ip',
    pluralNoun: 'floating IPs',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => floatingIpColumns(project, holders), [project, holders]),
    bulk: bulkFloatingIps(whyNotAllowed),
  })
  return (
    <ResourceList
      kind="floating IP"
      icon={MapPin}
      title="Floating IPs"
      docs={<FloatingIpDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name, ip }) => ({
        label: name,
        hint: ip,
        link: floatingIpLink(project, name),
      })}
      create={{
        link: { to: '/projects/$project/floating-ips-new', params: { project } },
        whyNot: whyNotAllowed,
      }}
      empty={{ title: 'No floating IPs', text: 'Create a floating IP to see it here' }}
    >
      {dialog}
    </ResourceList>
  )
}

const floatingIpColumns = (project: string, holders: Holders): Column<FloatingIp>[] => [
  taggedName(
    'floating-ip',
    protectedName(
      nameColumn<FloatingIp>(({ name }) => floatingIpLink(project, name)),
      project,
    ),
    project,
  ),
  descriptionColumn<FloatingIp>(),
  { id: 'ip', header: 'IP address', part: 'state', cell: ({ ip }) => <CopyableId id={ip} max={39} /> },
  { id: 'pool', header: 'IP pool', part: 'meta', cell: ({ ipPoolId }) => <IpPoolName id={ipPoolId} /> },
  {
    id: 'instance',
    header: 'Attached to instance',
    part: 'meta',
    cell: (floatingIp) =>
      floatingIp.instanceId ? (
        <DeferredValue
          of={holderOf(holders, floatingIp)}
          render={({ name }) => (
            <PageLink {...instanceLink(project, name, 'networking')} className="link">
              {name}
            </PageLink>
          )}
        />
      ) : (
        <EmptyCell />
      ),
  },
]
