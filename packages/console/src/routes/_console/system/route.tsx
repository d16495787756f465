import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { currentUser } from '#/data/current-user.ts'
import { SystemLayout } from '#/shell/SystemLayout.tsx'

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
