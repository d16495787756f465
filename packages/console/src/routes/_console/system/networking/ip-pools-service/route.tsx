import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { servicePool, serviceRanges } from '#/features/system-ip-pools/queries.ts'
import { ServicePoolPage } from '#/features/system-ip-pools/ServicePoolPage.tsx'

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
