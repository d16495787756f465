import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '#/features/audit/AuditPage.tsx'
import { readLog } from '#/features/audit/queries.ts'
import { auditSearch } from '#/features/audit/search.ts'

export const Route = createFileRoute('/_console/_silo/audit-log')({
  validateSearch: auditSearch,
  loader: (visit) => readLog(visit, 'silo'),
  staticData: { crumb: { label: 'Audit log', to: '/audit-log' } },
  component: () => <AuditPage scope="silo" search={Route.useSearch()} />,
})
