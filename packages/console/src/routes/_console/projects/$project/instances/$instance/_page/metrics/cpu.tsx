import { createFileRoute } from '@tanstack/react-router'
import { InstanceMetrics } from '#/features/metrics/parts.tsx'
import { instanceDisks } from '#/features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/metrics/cpu')({
  loader: ({ context, params: { project, instance } }) => context.prefetch(instanceDisks(project, instance)),
  component: CpuMetrics,
})

function CpuMetrics() {
  return <InstanceMetrics {...Route.useParams()} tab="cpu" />
}
