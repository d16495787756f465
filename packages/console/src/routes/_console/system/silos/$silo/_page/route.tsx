import { createFileRoute, Outlet } from '@tanstack/react-router'
import { SiloPage } from '#/features/silos/SiloPage.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page')({ component: SiloLayout })

function SiloLayout() {
  return (
    <SiloPage {...Route.useParams()}>
      <Outlet />
    </SiloPage>
  )
}
