import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import FileBadge from 'lucide-react/icons/file-badge'
import { useMemo, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { canQuery, reasonOf, useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { CertificatesTable } from '#/features/silos/certificates/CertificatesTable.tsx'
import { type OwnCertificate, ownCertificates } from '#/features/silos/certificates/own-queries.ts'
import { certificateColumns } from '#/features/silos/certificates/parts.tsx'
import { factsOf, type ShownCertificate } from '#/features/silos/certificates/shown.ts'
import { silosDomain } from '#/features/silos/host.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

/** A certificate of the signed-in user's silo. */
const ownCertificateLink = (certificate: string) =>
  ({ to: '/certificates/$certificate', params: { certificate } }) satisfies LinkTarget

export const Route = createFileRoute('/_console/_silo/_certificates')({
  validateSearch: pageSearch,
  loader: ({ context }) => context.prefetch(canQuery(mayList)),
  staticData: { crumb: { label: 'Certificates', to: '/certificates' } },
  component: Certificates,
})

const mayList = { action: 'list_children', object: 'certificate' } as const

function Certificates() {
  const { data: verdict } = useQuery(canQuery(mayList))
  const whyNot = reasonOf(verdict)
  return (
    <ListPage
      title="Certificates"
      docs={
        <DocsPopover topic="certificates" page="production#tls-without-a-proxy">
          A TLS certificate proves to browsers that they reached this silo. It expires, so add a renewed one
          before then. Of the certificates that are valid, the server presents the newest that the browser can
          use.
        </DocsPopover>
      }
    >
      {whyNot === undefined ? (
        <OwnCertificates />
      ) : (
        <EmptyState title="Certificates not shown">{whyNot}</EmptyState>
      )}
    </ListPage>
  )
}

type Row = OwnCertificate & ShownCertificate

const columns = [...certificateColumns<Row>(({ name }) => ownCertificateLink(name)), createdColumn<Row>()]

/** The certificates of the signed-in user's silo, for its administrators. */
function OwnCertificates() {
  const { siloName } = useCurrentUser()
  const { rows: certificates, ...page } = useListPage(ownCertificates)
  const [now] = useState(() => new Date())
  const create = useOp(op.certificateCreate)
  const remove = useOp(op.certificateDelete)
  const rows = useMemo(() => {
    const domain = silosDomain(location.hostname)
    return certificates?.map((each) => ({ ...each, certificate: factsOf(each.cert, siloName, domain, now) }))
  }, [certificates, siloName, now])
  useListPalette({
    kind: 'certificate',
    icon: FileBadge,
    rows,
    rowEntry: ({ name }) => ({ label: name, link: ownCertificateLink(name), over: true }),
  })
  return (
    <>
      <CertificatesTable
        silo={siloName}
        list={{ ...page, rows }}
        columns={columns}
        whyNot={useWhyNot({ action: 'create_child', object: 'certificate' })}
        about="Browsers reach this silo under its own host name with these certificates."
        create={(body) => create.run({ body })}
        remove={(certificate) => remove.run({ path: { certificate } })}
      />
      <Outlet />
    </>
  )
}
