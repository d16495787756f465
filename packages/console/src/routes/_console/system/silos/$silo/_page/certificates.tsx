import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { canQuery, reasonOf, useWhyNot } from '#/data/permissions.ts'
import { listQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { CertificatesTable } from '#/features/silos/certificates/CertificatesTable.tsx'
import { certificateColumns } from '#/features/silos/certificates/parts.tsx'
import { siloAt } from '#/features/silos/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'

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

type Certificate = OutputOf<'siloCertificateList'>['items'][number]

const certificatesOf = (silo: string) => listQuery(op.siloCertificateList, { ...siloAt(silo), query: {} })

/** Only the server reads it. */
const issuerColumn: Column<Certificate> = {
  id: 'issuer',
  header: 'Issuer',
  part: 'meta',
  rank: 'low',
  cell: ({ certificate }) =>
    certificate?.issuer ? <Truncate text={certificate.issuer} max={32} /> : <EmptyCell />,
}

const columns = [...certificateColumns<Certificate>(), issuerColumn]

/** The certificates of any silo and their expiry dates. */
function CertificatesTab({ silo }: { silo: string }) {
  const create = useOp(op.siloCertificateCreate)
  const remove = useOp(op.siloCertificateDelete)
  return (
    <CertificatesTable
      silo={silo}
      list={useListPage(certificatesOf(silo))}
      columns={columns}
      whyNot={useWhyNot({ action: 'create_child', object: 'certificate', id: silo })}
      about="Browsers reach the silo under its own host name with these certificates."
      create={(body) => create.run({ ...siloAt(silo), body })}
      remove={(certificate) => remove.run({ path: { silo, certificate } })}
    />
  )
}
