import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useHasSecondFactors } from '#/features/sign-in/factors/queries.ts'
import { useHasSessions } from '#/features/sessions/queries.ts'
import { SettingsLayout } from '#/shell/Layouts.tsx'
import { settingsItems } from '#/shell/navigation.ts'

export const Route = createFileRoute('/_console/settings')({
  staticData: { crumb: { label: 'Settings', to: '/settings/profile' } },
  component: Settings,
})

function Settings() {
  const hasSessions = useHasSessions()
  const hasSecondFactors = useHasSecondFactors()
  return (
    <SettingsLayout items={settingsItems({ hasSessions, hasSecondFactors })}>
      <Outlet />
    </SettingsLayout>
  )
}
