import { createFileRoute } from '@tanstack/react-router'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { WithActivity, withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import {
  blockColumns,
  kindWord,
  lotBlocks,
  lotLink,
  lotView,
  useLotActions,
} from '#/features/rack-network/lots.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/networking/address-lots/$lot')({
  validateSearch: withActivitySearch,
  loader: ({ params: { lot }, ...visit }) =>
    Promise.all([visit.context.prefetch(lotView(lot)), loadList(visit, lotBlocks(lot))]).then(
      () => undefined,
    ),
  staticData: {
    crumb: [
      { label: 'Address lots', to: '/system/networking/address-lots' },
      { param: 'lot', to: '/system/networking/address-lots/$lot' },
    ],
  },
  component: AddressLot,
})

function AddressLot() {
  const { lot: name } = Route.useParams()
  const {
    data: { lot },
    onDelete,
  } = useViewed(lotView(name), { to: '/system/networking/address-lots' })
  const actions = useLotActions(onDelete)
  return (
    <ResourcePage
      title={lot.name}
      docs={
        <DocsPopover topic="address lots" page="hardware#switches-and-the-racks-network">
          Switch ports, loopback addresses and BGP announcements use addresses from the blocks of a lot. To
          add blocks, create a lot with the same name.
        </DocsPopover>
      }
      kind="Address lot"
      menu={() => actionMenu(actions(lot))}
      plate={
        <DataPlate summary={lot.description || kindWord(lot.kind)}>
          <DescriptionItem description={lot.description} />
          <DataItem label="For">{kindWord(lot.kind)}</DataItem>
          <DataItem label="ID">
            <CopyableId id={lot.id} max={24} />
          </DataItem>
          <TimeItems of={lot} changed="Updated" />
        </DataPlate>
      }
    >
      <div className="mt-4">
        <WithActivity
          label="Address lot"
          contents="Blocks"
          link={lotLink(name)}
          activityLink={{ ...lotLink(name), search: { tab: 'activity' } }}
          scope={{ ...fleetScope, object: lot.id }}
          asked={Route.useSearch()}
        >
          <Blocks name={name} />
        </WithActivity>
      </div>
    </ResourcePage>
  )
}

function Blocks({ name }: { name: string }) {
  return (
    <ResourceTable
      label="Blocks"
      list={useListPage(lotBlocks(name))}
      columns={blockColumns}
      empty={<EmptyState title="No blocks">To add blocks, create a lot with the same name</EmptyState>}
    />
  )
}
