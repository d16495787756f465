import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { canQuery, reasonOf } from '#/data/permissions.ts'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { CertificatesTab } from '#/features/silos/certificates/CertificatesTab.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/certificates')({
  validateSearch: pageSearch,
  loader: ({ context, params }) => context.prefetch(canQuery(mayList(params.silo))),
  staticData: { crumb: { label: 'Certificates', to: '/system/silos/$silo/certificates' } },
  component: Certificates,
})

const mayList = (silo: string) => ({ action: 'list_children', object: 'certificate', id: silo }) as const

// Users who may not see certificates may still see the other tabs.
function Certificates() {
  const { silo } = Route.useParams()
  const { data: verdict } = useQuery(canQuery(mayList(silo)))
  const whyNot = reasonOf(verdict)
  if (whyNot !== undefined) return <EmptyState title="Certificates not shown">{whyNot}</EmptyState>
  return <CertificatesTab silo={silo} />
}
