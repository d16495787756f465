import { createFileRoute } from '@tanstack/react-router'

// The tab is the layout, because forms open over it.
export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways/',
)({})
