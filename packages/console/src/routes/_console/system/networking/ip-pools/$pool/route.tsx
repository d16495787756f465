import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { texts } from '#/features/common/use-list-page.ts'
import { PoolPage } from '#/features/system-ip-pools/PoolPage.tsx'
import { poolTabOf } from '#/features/system-ip-pools/links.ts'
import {
  allSilos,
  poolAddresses,
  poolRanges,
  poolSilos,
  poolUtilization,
  poolView,
} from '#/features/system-ip-pools/queries.ts'

const search = texts('page', 'tab')

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
  const { tab } = Route.useSearch()
  return (
    <>
      <PoolPage pool={pool} tab={poolTabOf(tab)} />
      <Outlet />
    </>
  )
}
