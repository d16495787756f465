import { createFileRoute, Outlet } from '@tanstack/react-router'
import { texts } from '#/features/common/use-list-page.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/metrics')({
  // The time that is shown, and what of the instance it is shown of.
  validateSearch: texts('range', 'from', 'to', 'every', 'compare', 'of'),
  staticData: { crumb: { label: 'Metrics', to: '/projects/$project/instances/$instance/metrics' } },
  component: Outlet,
})
