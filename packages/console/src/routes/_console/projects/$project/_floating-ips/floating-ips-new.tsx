import { createFileRoute } from '@tanstack/react-router'
import { CreateFloatingIp } from '#/features/addresses/floating-ips/CreateFloatingIp.tsx'

export const Route = createFileRoute('/_console/projects/$project/_floating-ips/floating-ips-new')({
  staticData: { title: 'New Floating IP' },
  component: FloatingIpNew,
})

function FloatingIpNew() {
  return <CreateFloatingIp {...Route.useParams()} />
}
