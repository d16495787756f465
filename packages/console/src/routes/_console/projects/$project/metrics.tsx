import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import { MetricsExplorer } from '#/features/metrics/parts.tsx'

export const Route = createFileRoute('/_console/projects/$project/metrics')({
  // The executed query, and the view of its result.
  validateSearch: texts('q', 'view'),
  staticData: { crumb: { label: 'Metrics', to: '/projects/$project/metrics' } },
  component: ProjectMetrics,
})

function ProjectMetrics() {
  return (
    <>
      <PageHead
        title="Metrics"
        docs={
          <DocsPopover topic="metrics" page="query-language">
            Measurements of the project's instances, disks and network interfaces. Query them in OxQL.
          </DocsPopover>
        }
      />
      <MetricsExplorer {...Route.useParams()} />
    </>
  )
}
