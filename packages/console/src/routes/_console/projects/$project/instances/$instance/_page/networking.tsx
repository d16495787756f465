// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import { createFileRoute } from '@tanstack/react-router'
import { AddressProblems } from '#/features/instances/page/AddressProblems.tsx'
import { ExternalIpsCard } from '#/features/instances/page/ExternalIpsCard.tsx'
import { InterfacesCard } from '#/features/instances/page/InterfacesCard.tsx'
import { allFloatingIps, instanceAddressProblems } from '#/features/addresses/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { allIpPools } from '#/features/ip-pools/queries.ts'

const MulticastCard = lazyPart(() => import('#/features/multicast/MulticastCard.tsx'), 'MulticastCard')

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/networking')({
  loader: ({ context, params: { project, instance } }) => {
    void context.tryPrefetch(instanceAddressProblems(project, instance))
    return context.prefetch(allFloatingIps(project), allIpPools)
  },
  staticData: { crumb: { label: 'Networking', to: '/projects/$project/instances/$instance/networking' } },
  component: Networking,
})

function Networking() {
  const params = Route.useParams()
  return (
    <div className="space-y-5">
      <AddressProblems {...params} />
      <ExternalIpsCard {...params} />
      <InterfacesCard {...params} />
      <MulticastCard {...params} />
    </div>
  )
}
