import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { needId } from '#/features/common/need-id.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { sledDrains, sledInstances, sledUses, sledView } from '#/features/inventory/queries.ts'
import { SledPage } from '#/features/inventory/SledPage.tsx'

export const Route = createFileRoute('/_console/system/inventory/sleds/$sled/instances')({
  validateSearch: pageSearch,
  loader: async ({ params: { sled }, ...visit }) => {
    needId(sled)
    visit.context.begin(sledDrains(sled), sledUses)
    await Promise.all([visit.context.prefetch(sledView(sled)), loadList(visit, sledInstances(sled))])
  },
  staticData: {
    crumb: [
      { label: 'Inventory', to: '/system/inventory' },
      { label: 'Sleds', to: '/system/inventory/sleds' },
      { param: 'sled', to: '/system/inventory/sleds/$sled/instances', isId: true },
      { label: 'Instances', to: '/system/inventory/sleds/$sled/instances' },
    ],
  },
  component: SledInstances,
})

function SledInstances() {
  return <SledPage sled={Route.useParams().sled} />
}
