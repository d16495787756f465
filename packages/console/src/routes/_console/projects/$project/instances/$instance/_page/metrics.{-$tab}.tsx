import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { texts } from '#/kit/list/use-list-page.ts'
import { metricsLink, metricsTabOf } from '#/features/instances/links.ts'
import { instanceDisks } from '#/features/instances/queries.ts'
import { InstanceMetrics } from '#/features/metrics/parts.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/metrics/{-$tab}')(
  {
    // The time range, and the charted part of the instance.
    validateSearch: texts('range', 'from', 'to', 'every', 'compare', 'of'),
    beforeLoad: ({ params: { project, instance, tab } }) => {
      if (tab === undefined) throw redirect({ ...metricsLink(project, instance, 'cpu'), replace: true })
      if (!metricsTabOf(tab)) throw notFound()
    },
    loader: ({ context, params: { project, instance } }) =>
      context.prefetch(instanceDisks(project, instance)),
    staticData: { crumb: { label: 'Metrics', to: '/projects/$project/instances/$instance/metrics/{-$tab}' } },
    component: Metrics,
  },
)

function Metrics() {
  const { tab, ...at } = Route.useParams()
  return <InstanceMetrics {...at} tab={metricsTabOf(tab) ?? 'cpu'} />
}
