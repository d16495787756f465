import { ActivityTab } from '#/features/activity/tab.ts'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Globe from 'lucide-react/icons/globe'
import { useOp } from '#/data/use-op.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { texts, useListPage } from '#/kit/list/use-list-page.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { activityKeys } from '#/features/activity/search.ts'
import { allSilos } from '#/features/silos/queries.ts'
import { AddressesTab } from '#/features/system-ip-pools/AddressesTab.tsx'
import { poolLink, type PoolTab, poolTabOf } from '#/features/system-ip-pools/links.ts'
import {
  type Pool,
  poolAddresses,
  countsOf,
  poolAt,
  poolRanges,
  poolSilos,
  poolUtilization,
  type PoolUtilization,
  poolView,
} from '#/features/system-ip-pools/queries.ts'
import { RangesTab } from '#/features/system-ip-pools/RangesTab.tsx'
import { ipPoolLinks } from '#/features/system-ip-pools/pool-links.ts'
import { SilosTab } from '#/features/silo-links/SilosTab.tsx'
import { PoolDocs, usePoolRowActions } from '#/features/system-ip-pools/parts.tsx'
import { CapacityCard } from '#/ui/data/CapacityCard.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

const search = texts('tab', ...activityKeys)

export const Route = createFileRoute('/_console/system/networking/ip-pools/$pool')({
  validateSearch: search,
  loader: async ({ params: { pool }, ...visit }) => {
    const { context, location } = visit
    const tab = poolTabOf(search(location.search).tab)
    // Rows show silo ids until the names arrive.
    if (tab === 'silos') context.begin(allSilos)
    const view = context.prefetch(poolView(pool), poolUtilization(pool))
    if (tab === 'ranges') await Promise.all([view, loadList(visit, poolRanges(pool))])
    if (tab === 'silos') await Promise.all([view, loadList(visit, poolSilos(pool))])
    if (tab === 'addresses') await Promise.all([view, loadList(visit, poolAddresses(pool))])
  },
  staticData: {
    crumb: [
      { label: 'IP Pools', to: '/system/networking/ip-pools' },
      { param: 'pool', to: '/system/networking/ip-pools/$pool' },
    ],
  },
  component: IpPool,
})

function IpPool() {
  const { pool } = Route.useParams()
  const asked = Route.useSearch()
  return (
    <>
      <PoolPage pool={pool} tab={poolTabOf(asked.tab)} search={asked} />
      <Outlet />
    </>
  )
}

const tabsOf = (pool: string) =>
  [
    { id: 'ranges', label: 'IP ranges', link: poolLink(pool) },
    { id: 'silos', label: 'Linked silos', link: poolLink(pool, 'silos') },
    { id: 'addresses', label: 'Addresses', link: poolLink(pool, 'addresses'), isExtension: true },
    { id: 'activity', label: 'Activity', link: poolLink(pool, 'activity'), isExtension: true },
  ] as const

interface Props {
  pool: string
  tab: PoolTab
  search: ReturnType<typeof search>
}

/** One pool: allocation, ranges, linked silos, the owners of its addresses, and what happened to it. */
function PoolPage({ pool: name, tab, search: asked }: Props) {
  const { data: pool, onDelete } = useViewed(poolView(name), { to: '/system/networking/ip-pools' })
  const { data: utilization } = useSuspenseQuery(poolUtilization(name))
  const firstRanges = useQuery(poolRanges(name).at())
  const actions = usePoolRowActions(onDelete)
  return (
    <ResourcePage
      title={pool.name}
      docs={<PoolDocs />}
      kind="IP pool"
      menu={() =>
        actionMenu(
          actions({
            id: pool.id,
            name: pool.name,
            assignment: pool.assignment,
            ranges: firstRanges.data?.items.length,
          }),
        )
      }
      plate={<Plate pool={pool} />}
    >
      <UseCards {...utilization} />
      <div className="mt-4">
        <RouteTabs label="IP pool" tabs={tabsOf(name)} current={tab}>
          {tab === 'ranges' && <Ranges pool={pool} />}
          {tab === 'silos' && <Silos pool={pool} />}
          {tab === 'addresses' && <AddressesTab pool={name} />}
          {tab === 'activity' && <ActivityTab scope={{ ...fleetScope, object: pool.id }} search={asked} />}
        </RouteTabs>
      </div>
    </ResourcePage>
  )
}

const Silos = ({ pool: { name, assignment } }: { pool: Pool }) => (
  <SilosTab
    links={ipPoolLinks(name)}
    list={useListPage(poolSilos(name))}
    whyNotLink={
      assignment === 'system_services' ? "The pool is assigned to the system's services" : undefined
    }
  />
)

function Ranges({ pool: { name: pool, assignment } }: { pool: Pool }) {
  const remove = useOp(op.ipPoolRangeRemove)
  return (
    <RangesTab
      about={
        assignment === 'silos'
          ? 'Addresses that linked silos get from this pool.'
          : "Addresses for the system's services."
      }
      list={useListPage(poolRanges(pool))}
      addLink={{ to: '/system/networking/ip-pools/$pool/ranges-add', params: { pool } }}
      isPlanned
      remove={(body, send) => remove.run({ ...poolAt(pool), body }, send)}
    />
  )
}

function Plate({ pool }: { pool: Pool }) {
  return (
    <DataPlate summary={pool.description || 'No description'}>
      <DescriptionItem description={pool.description} />
      <DataItem label="Assigned to">
        {pool.assignment === 'system_services' ? "The system's services" : 'Silos'}
      </DataItem>
      <DataItem label="Addresses">
        {pool.poolType === 'multicast' ? 'Of multicast groups' : 'Of machines'}
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={pool.id} max={24} />
      </DataItem>
      <TimeItems of={pool} changed="Updated" />
    </DataPlate>
  )
}

/** Allocated addresses of each version with ranges in the pool; nothing for a pool without ranges. */
function UseCards(utilization: PoolUtilization) {
  const { ipv4, ipv6 } = countsOf(utilization)
  const cards = [
    { label: 'IPv4', allocated: ipv4.allocated, capacity: ipv4.capacity },
    { label: 'IPv6', allocated: BigInt(ipv6.allocated), capacity: BigInt(ipv6.capacity) },
  ].filter(({ capacity }) => capacity > 0)
  if (cards.length === 0) return null
  return (
    <div className="mt-4 grid grid-cols-1 gap-4 md:grid-cols-2">
      {cards.map(({ label, allocated, capacity }) => (
        <CapacityCard
          key={label}
          icon={Globe}
          label={label}
          units="IPs"
          part={allocated}
          partWord="allocated"
          whole={capacity}
          figures={[
            { label: 'Allocated', value: allocated },
            { label: 'Capacity', value: capacity },
          ]}
        />
      ))}
    </div>
  )
}
