import { createFileRoute } from '@tanstack/react-router'
import { CreateFloatingIp } from '../../../../../features/networking/floating-ips/CreateFloatingIp.tsx'
import { floatingIpPaths } from '../../../../../features/networking/floating-ips/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_floating-ips/floating-ips-new')({
  staticData: {
    crumb: ({ project = '' }) => ({
      label: 'New Floating IP',
      path: floatingIpPaths.create(project),
      titleOnly: true,
    }),
  },
  component: FloatingIpNew,
})

function FloatingIpNew() {
  return <CreateFloatingIp {...Route.useParams()} />
}
