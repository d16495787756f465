import { createFileRoute } from '@tanstack/react-router'
import { EditFloatingIp } from '#/features/addresses/floating-ips/EditFloatingIp.tsx'
import { floatingIpView } from '#/features/addresses/floating-ips/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/_floating-ips/floating-ips/$floatingIp/edit',
)({
  loader: ({ context, params: { project, floatingIp } }) =>
    context.prefetch(floatingIpView(project, floatingIp)),
  staticData: { title: 'Edit Floating IP' },
  component: FloatingIpEdit,
})

function FloatingIpEdit() {
  return <EditFloatingIp {...Route.useParams()} />
}
