import { createFileRoute } from '@tanstack/react-router'
import { ActivityTab } from '#/features/activity/tab.ts'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { activitySearch } from '#/features/activity/search.ts'
import { loadSled, SledPage } from '#/features/inventory/SledPage.tsx'

export const Route = createFileRoute('/_console/system/inventory/sleds/$sled/activity')({
  validateSearch: activitySearch,
  loader: ({ context, params: { sled } }) => loadSled(context, sled),
  staticData: {
    crumb: [
      { label: 'Inventory', to: '/system/inventory' },
      { label: 'Sleds', to: '/system/inventory/sleds' },
      { param: 'sled', to: '/system/inventory/sleds/$sled/instances', isId: true },
      { label: 'Activity', to: '/system/inventory/sleds/$sled/activity' },
    ],
  },
  component: SledActivity,
})

function SledActivity() {
  const { sled } = Route.useParams()
  return (
    <SledPage sled={sled}>
      <ActivityTab scope={{ ...fleetScope, object: sled }} search={Route.useSearch()} />
    </SledPage>
  )
}
