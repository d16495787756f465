import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import { MetricsExplorer } from '#/features/metrics/parts.tsx'

export const Route = createFileRoute('/_console/system/metrics')({
  // The executed query, and the view of its result.
  validateSearch: texts('q', 'view'),
  staticData: { crumb: { label: 'Metrics', to: '/system/metrics' } },
  component: SystemMetrics,
})

function SystemMetrics() {
  return (
    <>
      <PageHead
        title="Metrics"
        docs={
          <DocsPopover topic="metrics" page="query-language">
            Measurements of all silos and of the hardware. Query them in OxQL.
          </DocsPopover>
        }
      />
      <MetricsExplorer />
    </>
  )
}
