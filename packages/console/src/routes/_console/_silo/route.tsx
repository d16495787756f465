import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SiloLayout } from '#/shell/Layouts.tsx'

export const Route = createFileRoute('/_console/_silo')({
  component: () => (
    <SiloLayout>
      <Outlet />
    </SiloLayout>
  ),
})
