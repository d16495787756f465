import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { currentUser } from '#/data/current-user.ts'
import { SystemLayout } from '#/shell/SystemLayout.tsx'

export const Route = createFileRoute('/_console/system')({
  // Before any loader: to whom the area is not shown, no page of it asks the server anything.
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
