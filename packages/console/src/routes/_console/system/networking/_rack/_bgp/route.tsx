import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { texts } from '#/features/common/use-list-page.ts'
import { BgpTab } from '#/features/rack-network/bgp/BgpTab.tsx'
import { announceSets, bgpConfigs, sessions } from '#/features/rack-network/bgp/queries.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/_bgp')({
  validateSearch: texts('page', 'session'),
  loader: (visit) =>
    Promise.all([visit.context.prefetch(sessions), loadList(visit, bgpConfigs, announceSets)]).then(
      () => undefined,
    ),
  staticData: { crumb: { label: 'BGP', to: '/system/networking/bgp' } },
  component: Bgp,
})

function Bgp() {
  const { session } = Route.useSearch()
  return (
    <>
      <BgpTab session={session} />
      <Outlet />
    </>
  )
}
