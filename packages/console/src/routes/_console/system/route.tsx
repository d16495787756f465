import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { currentUser, useCurrentUser } from '#/data/current-user.ts'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { useServed } from '#/kit/page/use-served.ts'
import { Frame } from '#/shell/Frame.tsx'
import { asPaletteItems, userItems } from '#/shell/Layouts.tsx'
import { projectsItem } from '#/shell/navigation.ts'
import { systemItems } from '#/shell/system-navigation.ts'

export const Route = createFileRoute('/_console/system')({
  // Runs before all loaders, so that users without access send no requests for these pages.
  beforeLoad: async ({ context }) => {
    await context.prefetch(currentUser)
    if (!context.queryClient.getQueryData(currentUser.queryKey)?.fleetViewer) throw notFound()
  },
  staticData: { crumb: { label: 'System', to: '/system' } },
  component: () => (
    <SystemLayout>
      <Outlet />
    </SystemLayout>
  ),
})

/** The layout of the operators' area. */
function SystemLayout({ children }: { children: ReactNode }) {
  const { siloName } = useCurrentUser()
  const items = useServed(systemItems)
  const backItems = asPaletteItems([projectsItem], `Back to silo '${siloName}'`)
  usePaletteItems([...asPaletteItems(items, 'System'), ...backItems], 'layout')
  usePaletteItems(userItems, 'global')
  return <Frame groups={[{ heading: { kind: 'System' }, items }]}>{children}</Frame>
}
