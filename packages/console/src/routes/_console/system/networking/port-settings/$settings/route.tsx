import { createFileRoute, Outlet } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { allBgpConfigs } from '#/features/rack-network/bgp/queries.ts'
import { allPorts, settingsView } from '#/features/rack-network/port-settings/queries.ts'
import { trials } from '#/features/rack-network/queries.ts'
import { SettingsPage } from '#/features/rack-network/port-settings/SettingsPage.tsx'

export const Route = createFileRoute('/_console/system/networking/port-settings/$settings')({
  validateSearch: withActivitySearch,
  loader: async ({ context, params: { settings } }) => {
    context.begin(allPorts, allBgpConfigs)
    await Promise.all([context.prefetch(settingsView(settings)), context.tryPrefetch(trials)])
  },
  staticData: {
    crumb: [
      { label: 'Port settings', to: '/system/networking/port-settings' },
      { param: 'settings', to: '/system/networking/port-settings/$settings' },
    ],
  },
  component: PortSettings,
})

function PortSettings() {
  const { settings } = Route.useParams()
  return (
    <>
      <SettingsPage name={settings} asked={Route.useSearch()} />
      <Outlet />
    </>
  )
}
