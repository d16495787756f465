import { createFileRoute } from '@tanstack/react-router'
import { addressColumn, sourcesText } from '#/features/multicast/columns.tsx'
import { multicastGroupLink } from '#/features/multicast/links.ts'
import { type MulticastGroup, multicastGroups } from '#/features/multicast/queries.ts'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/_silo/multicast-groups/')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, multicastGroups),
  staticData: { crumb: { label: 'Multicast groups', to: '/multicast-groups' } },
  component: MulticastGroups,
})

const columns: Column<MulticastGroup>[] = [
  nameColumn<MulticastGroup>(({ name }) => multicastGroupLink(name)),
  addressColumn<MulticastGroup>(),
  {
    id: 'sources',
    header: 'Sources',
    isLabelled: true,
    cell: ({ sourceIps, hasAnySourceMember }) => (hasAnySourceMember ? 'Any' : sourcesText(sourceIps)),
  },
  createdColumn<MulticastGroup>(),
]

function MulticastGroups() {
  return (
    <ListPage
      title="Multicast groups"
      docs={
        <DocsPopover topic="multicast groups" page="networking#multicast-groups">
          Packets to the address of a group reach all instances that are members of it. A group comes with its
          first member and goes with its last.
        </DocsPopover>
      }
    >
      <ResourceTable
        label="Multicast groups"
        list={useListPage(multicastGroups)}
        columns={columns}
        empty={
          <EmptyState title="No multicast groups">
            An instance joins a group on the networking tab of its page.
          </EmptyState>
        }
      />
    </ListPage>
  )
}
