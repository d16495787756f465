import { createFileRoute, Outlet } from '@tanstack/react-router'
import { VpcPage } from '#/features/vpcs/VpcPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page')({ component: VpcLayout })

function VpcLayout() {
  return (
    <VpcPage {...Route.useParams()}>
      <Outlet />
    </VpcPage>
  )
}
