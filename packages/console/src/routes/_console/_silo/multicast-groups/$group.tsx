import { createFileRoute } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import { sourcesColumn, sourcesText, stateColumn } from '#/features/multicast/columns.tsx'
import { type Membership, membersOf, multicastGroup } from '#/features/multicast/queries.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { copyText } from '#/ui/copy-text.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/_silo/multicast-groups/$group')({
  validateSearch: pageSearch,
  loader: ({ params: { group }, ...visit }) =>
    Promise.all([visit.context.prefetch(multicastGroup(group)), loadList(visit, membersOf(group))]).then(
      () => undefined,
    ),
  staticData: {
    crumb: [
      { label: 'Multicast groups', to: '/multicast-groups' },
      { param: 'group', to: '/multicast-groups/$group' },
    ],
  },
  component: MulticastGroupPage,
})

const copyEntry = (id: string) => ({
  label: 'Copy ID',
  icon: <Copy aria-hidden strokeWidth={1.75} />,
  onSelect: () => void copyText(id),
})

/** Instances of other silos are known by their ids alone. */
const columns: Column<Membership>[] = [
  {
    id: 'instance',
    header: 'Instance',
    part: 'name',
    cell: ({ instanceId }) => <CopyableId id={instanceId} max={36} />,
  },
  stateColumn,
  sourcesColumn,
  createdColumn<Membership>(),
]

function MulticastGroupPage() {
  const { group: name } = Route.useParams()
  const { data: group } = useViewed(multicastGroup(name), { to: '/multicast-groups' })
  const list = useListPage(membersOf(name))
  return (
    <ResourcePage
      title={group.name}
      docs={
        <DocsPopover topic="multicast groups" page="networking#multicast-groups">
          Packets to the address of a group reach all instances that are members of it.
        </DocsPopover>
      }
      kind="Multicast group"
      menu={() => [copyEntry(group.id)]}
      plate={
        <DataPlate summary={group.multicastIp}>
          <DataItem label="Address">
            <CopyableId id={group.multicastIp} max={43} />
          </DataItem>
          <DataItem label="Sources">
            {group.hasAnySourceMember ? 'Any' : sourcesText(group.sourceIps)}
          </DataItem>
          <TimeItems of={group} changed="Updated" />
          <DataItem label="ID">
            <CopyableId id={group.id} max={24} />
          </DataItem>
        </DataPlate>
      }
    >
      <div className="mt-4">
        <ResourceTable
          label="Members"
          list={list}
          columns={columns}
          empty={<EmptyState title="No members">The group ends with its last member.</EmptyState>}
        />
      </div>
    </ResourcePage>
  )
}
