import { createFileRoute } from '@tanstack/react-router'
import { ExternalIpsCard } from '#/features/instance-page/ExternalIpsCard.tsx'
import { InterfacesCard } from '#/features/instance-page/InterfacesCard.tsx'
import { allFloatingIps } from '#/features/addresses/queries.ts'
import { allIpPools } from '#/features/ip-pools/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/networking')({
  loader: ({ context, params: { project } }) => context.prefetch(allFloatingIps(project), allIpPools),
  staticData: { crumb: { label: 'Networking', to: '/projects/$project/instances/$instance/networking' } },
  component: Networking,
})

function Networking() {
  const params = Route.useParams()
  return (
    <div className="space-y-5">
      <ExternalIpsCard {...params} />
      <InterfacesCard {...params} />
    </div>
  )
}
