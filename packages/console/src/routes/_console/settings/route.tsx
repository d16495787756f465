import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SettingsLayout } from '../../../shell/Layouts.tsx'

export const Route = createFileRoute('/_console/settings')({
  staticData: { crumb: { label: 'Settings', path: '/settings/profile' } },
  component: () => (
    <SettingsLayout>
      <Outlet />
    </SettingsLayout>
  ),
})
