import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { DescriptionItem, TimeItems } from '#/features/common/plate-items.tsx'
import { ResourcePage } from '#/features/common/ResourcePage.tsx'
import { RouteTabs } from '#/features/common/RouteTabs.tsx'
import { actionMenu } from '#/features/common/row-menu.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { useViewed } from '#/features/common/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { AddressesTab } from './AddressesTab.tsx'
import { poolLink, type PoolTab } from './links.ts'
import { PoolDocs } from './PoolDocs.tsx'
import { type Pool, poolAt, poolRanges, poolUtilization, poolView } from './queries.ts'
import { RangesTab } from './RangesTab.tsx'
import { SilosTab } from './silos/SilosTab.tsx'
import { UseCards } from './UseCards.tsx'
import { usePoolRowActions } from './use-pool-row-actions.tsx'

const tabsOf = (pool: string) =>
  [
    { id: 'ranges', label: 'IP ranges', link: poolLink(pool) },
    { id: 'silos', label: 'Linked silos', link: poolLink(pool, 'silos') },
    { id: 'addresses', label: 'Addresses', link: poolLink(pool, 'addresses') },
  ] as const

/** One pool: allocation, ranges, linked silos, and the owners of its addresses. */
export function PoolPage({ pool: name, tab }: { pool: string; tab: PoolTab }) {
  const { data: pool, onDelete } = useViewed(poolView(name), { to: '/system/networking/ip-pools' })
  const { data: utilization } = useSuspenseQuery(poolUtilization(name))
  const firstRanges = useQuery(poolRanges(name).at())
  const actions = usePoolRowActions(onDelete)
  return (
    <ResourcePage
      title={pool.name}
      docs={<PoolDocs />}
      kind="IP pool"
      menu={() => actionMenu(actions({ name: pool.name, ranges: firstRanges.data?.items.length }))}
      plate={<Plate pool={pool} />}
    >
      <UseCards {...utilization} />
      <div className="mt-4">
        <RouteTabs label="IP pool" tabs={tabsOf(name)} current={tab}>
          {tab === 'ranges' && <Ranges pool={name} />}
          {tab === 'silos' && <SilosTab pool={name} />}
          {tab === 'addresses' && <AddressesTab pool={name} />}
        </RouteTabs>
      </div>
    </ResourcePage>
  )
}

function Ranges({ pool }: { pool: string }) {
  const remove = useOp(op.ipPoolRangeRemove)
  return (
    <RangesTab
      about="Addresses that linked silos get from this pool."
      list={useListPage(poolRanges(pool))}
      addLink={{ to: '/system/networking/ip-pools/$pool/ranges-add', params: { pool } }}
      remove={(body) => remove.run({ ...poolAt(pool), body })}
    />
  )
}

function Plate({ pool }: { pool: Pool }) {
  return (
    <DataPlate>
      <DescriptionItem description={pool.description} />
      <DataItem label="ID">
        <CopyableId id={pool.id} max={24} />
      </DataItem>
      <TimeItems of={pool} changed="Updated" />
    </DataPlate>
  )
}
