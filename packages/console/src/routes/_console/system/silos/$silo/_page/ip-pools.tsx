import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { allPoolsOf, poolsOf } from '#/features/silos/queries.ts'
import { SiloPools } from '#/features/silos/tabs/SiloPools.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/ip-pools')({
  validateSearch: pageSearch,
  loader: ({ params: { silo }, ...visit }) => loadList(visit, poolsOf(silo), allPoolsOf(silo)),
  staticData: { crumb: { label: 'IP Pools', to: '/system/silos/$silo/ip-pools' } },
  component: () => <SiloPools silo={Route.useParams().silo} />,
})
