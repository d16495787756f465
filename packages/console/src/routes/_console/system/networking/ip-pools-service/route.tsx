import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { servicePool, serviceRanges } from '#/features/system-ip-pools/queries.ts'
import { RangesTab } from '#/features/system-ip-pools/RangesTab.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute('/_console/system/networking/ip-pools-service')({
  validateSearch: pageSearch,
  loader: (visit) =>
    Promise.all([visit.context.prefetch(servicePool), loadList(visit, serviceRanges)]).then(() => undefined),
  staticData: {
    crumb: [
      { label: 'IP Pools', to: '/system/networking/ip-pools' },
      { label: 'Service pool', to: '/system/networking/ip-pools-service' },
    ],
  },
  component: () => (
    <>
      <ServicePoolPage />
      <Outlet />
    </>
  ),
})

/** The service pool, of which there is exactly one. It can be neither linked nor deleted. */
function ServicePoolPage() {
  const { data: pool } = useSuspenseQuery(servicePool)
  const list = useListPage(serviceRanges)
  const remove = useOp(op.ipPoolServiceRangeRemove)
  return (
    <ListPage
      title="Service pool"
      docs={
        <DocsPopover topic="the service pool" page="hardware#ip-pools">
          The services of the rack, such as the API and DNS, use addresses from this pool. It cannot be linked
          to silos.
        </DocsPopover>
      }
    >
      <DataPlate>
        <DataItem label="Name">{pool.name}</DataItem>
        <DescriptionItem description={pool.description} />
        <DataItem label="ID">
          <CopyableId id={pool.id} max={24} />
        </DataItem>
        <TimeItems of={pool} changed="Updated" />
      </DataPlate>
      <div className="mt-4">
        <RangesTab
          about="Addresses for the services of the rack."
          list={list}
          addLink={{ to: '/system/networking/ip-pools-service/ranges-add' }}
          remove={(body) => remove.run({ body })}
        />
      </div>
    </ListPage>
  )
}
