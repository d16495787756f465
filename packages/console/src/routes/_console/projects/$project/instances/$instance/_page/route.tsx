import { createFileRoute, Outlet } from '@tanstack/react-router'
import { InstancePage } from '#/features/instance-page/InstancePage.tsx'
import { instanceExternalIps, instanceInterfaces } from '#/features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page')({
  loader: ({ context, params: { project, instance } }) =>
    context.prefetch(instanceExternalIps(project, instance), instanceInterfaces(project, instance)),
  component: InstanceLayout,
})

function InstanceLayout() {
  return (
    <InstancePage {...Route.useParams()}>
      <Outlet />
    </InstancePage>
  )
}
