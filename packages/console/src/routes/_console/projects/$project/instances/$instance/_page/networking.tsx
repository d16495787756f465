import { createFileRoute } from '@tanstack/react-router'
import { NetworkingTab } from '../../../../../../../features/instances/detail/NetworkingTab.tsx'
import { instancePaths } from '../../../../../../../features/instances/queries.ts'
import { allFloatingIps, allIpPools } from '../../../../../../../features/networking/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/networking')({
  loader: ({ context, params: { project } }) => context.prefetch(allFloatingIps(project), allIpPools),
  staticData: {
    crumb: ({ project = '', instance = '' }) => ({
      label: 'Networking',
      path: instancePaths.networking(project, instance),
    }),
  },
  component: Networking,
})

function Networking() {
  return <NetworkingTab {...Route.useParams()} />
}
