import { createFileRoute } from '@tanstack/react-router'
import { EditFloatingIp } from '../../../../../features/networking/floating-ips/EditFloatingIp.tsx'
import { floatingIpPaths, floatingIpView } from '../../../../../features/networking/floating-ips/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/_floating-ips/floating-ips/$floatingIp/edit',
)({
  loader: ({ context, params: { project, floatingIp } }) =>
    context.prefetch(floatingIpView(project, floatingIp)),
  staticData: {
    crumb: ({ project = '', floatingIp = '' }) => ({
      label: 'Edit Floating IP',
      path: floatingIpPaths.edit(project, floatingIp),
      titleOnly: true,
    }),
  },
  component: FloatingIpEdit,
})

function FloatingIpEdit() {
  return <EditFloatingIp {...Route.useParams()} />
}
