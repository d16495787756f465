import { createFileRoute } from '@tanstack/react-router'
import { RaisedAlerts } from '#/features/alerts/raised/RaisedAlerts.tsx'
import { readRaised } from '#/features/alerts/raised/queries.ts'
import { raisedSearch } from '#/features/alerts/raised/search.ts'

export const Route = createFileRoute('/_console/system/raised-alerts')({
  validateSearch: raisedSearch,
  loader: readRaised,
  staticData: { crumb: { label: 'Raised alerts', to: '/system/raised-alerts' } },
  component: () => <RaisedAlerts search={Route.useSearch()} />,
})
