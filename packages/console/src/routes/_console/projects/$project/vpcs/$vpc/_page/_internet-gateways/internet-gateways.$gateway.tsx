import { createFileRoute } from '@tanstack/react-router'
import { GatewayPanel } from '#/features/vpcs/gateways/GatewayPanel.tsx'
import { gatewayView } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways/$gateway',
)({
  loader: ({ context, params: { project, vpc, gateway } }) =>
    context.prefetch(gatewayView(project, vpc, gateway)),
  staticData: { title: 'Edit Internet Gateway' },
  component: Gateway,
})

function Gateway() {
  return <GatewayPanel {...Route.useParams()} />
}
