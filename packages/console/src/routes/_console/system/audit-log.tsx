import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '#/features/audit/AuditPage.tsx'
import { readLog } from '#/features/audit/queries.ts'
import { auditSearch } from '#/features/audit/search.ts'

export const Route = createFileRoute('/_console/system/audit-log')({
  validateSearch: auditSearch,
  loader: (visit) => readLog(visit, 'fleet'),
  staticData: { crumb: { label: 'Audit log', to: '/system/audit-log' } },
  component: () => <AuditPage scope="fleet" search={Route.useSearch()} />,
})
