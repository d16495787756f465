import { createFileRoute } from '@tanstack/react-router'
import { GatewayPanel } from '../../../../../../../../features/networking/vpcs/gateways/GatewayPanel.tsx'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { gatewayView } from '../../../../../../../../features/networking/vpcs/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways/$gateway',
)({
  loader: ({ context, params: { project, vpc, gateway } }) =>
    context.prefetch(gatewayView(project, vpc, gateway)),
  staticData: {
    crumb: ({ project = '', vpc = '', gateway = '' }) => ({
      label: 'Edit Internet Gateway',
      path: vpcPaths.gateway(project, vpc, gateway),
      titleOnly: true,
    }),
  },
  component: Gateway,
})

function Gateway() {
  return <GatewayPanel {...Route.useParams()} />
}
