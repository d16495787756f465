import * as op from '@gantry/api/client/operations.gen'
import { useState } from 'react'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { siloAt } from '../queries.ts'
import { CertificateNotes } from './CertificateNotes.tsx'
import { certificateColumns } from './columns.tsx'
import { certificatesOf } from './queries.ts'

const CertificateDialog = lazyPart(() => import('./CertificateDialog.tsx'), 'CertificateDialog')

/** The silo's certificates and their expiry dates. */
export function CertificatesTab({ silo }: { silo: string }) {
  const list = useListPage(certificatesOf(silo))
  const whyNot = useWhyNot({ action: 'create_child', object: 'certificate', id: silo })
  const [isOpen, setOpen] = useState(false)
  const create = useOp(op.siloCertificateCreate)
  const remove = useOp(op.siloCertificateDelete)
  const certificates = list.rows ?? []
  return (
    <>
      <TabHead
        actions={
          <Button kind="primary" disabledReason={whyNot} onClick={() => setOpen(true)}>
            Add TLS certificate
          </Button>
        }
      >
        Browsers reach the silo under its own host name with these certificates.
      </TabHead>
      <CertificateNotes certificates={certificates} />
      <ResourceTable
        label="Certificates"
        list={list}
        columns={certificateColumns}
        actions={({ name }) => [
          {
            label: 'Delete',
            disabled: whyNot,
            onSelect: () =>
              confirmDelete({
                kind: 'certificate',
                name,
                ...(certificates.length === 1 && {
                  extra: 'It is the only certificate of the silo. Browsers will warn of the silo without it.',
                }),
                run: () => remove.run({ path: { silo, certificate: name } }),
              }),
          },
        ]}
        empty={<EmptyState title="No certificates">Add a TLS certificate to see it here.</EmptyState>}
      />
      {isOpen && (
        <CertificateDialog
          silo={silo}
          takenNames={certificates.map(({ name }) => name)}
          save={(body) => create.run({ ...siloAt(silo), body })}
          saved={() => 'Certificate added'}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
