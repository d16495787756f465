import { type ReactNode, useState } from 'react'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { NewCertificate } from '../create/values.ts'
import { CertificateNotes } from './parts.tsx'
import type { ShownCertificate } from './shown.ts'

const CertificateDialog = lazyPart(() => import('./CertificateDialog.tsx'), 'CertificateDialog')

interface Props<Row> {
  silo: string
  list: ListPage<Row>
  columns: readonly Column<Row>[]
  /** Why certificates cannot be added or deleted. */
  whyNot: string | undefined
  about: ReactNode
  create: (body: NewCertificate) => Promise<unknown>
  remove: (name: string) => Promise<unknown>
}

/** The certificates of a silo, with warnings of their expiry. */
export function CertificatesTable<Row extends ShownCertificate>(props: Props<Row>) {
  const { silo, list, columns, whyNot, about, create, remove } = props
  const [isOpen, setOpen] = useState(false)
  const certificates = list.rows ?? []
  usePaletteItems(whyNot ? [] : [{ label: 'Add TLS certificate', run: () => setOpen(true) }])
  return (
    <>
      <TabHead
        actions={
          <Button kind="primary" disabledReason={whyNot} onClick={() => setOpen(true)}>
            Add TLS certificate
          </Button>
        }
      >
        {about}
      </TabHead>
      <CertificateNotes certificates={certificates} />
      <ResourceTable
        label="Certificates"
        list={list}
        columns={columns}
        actions={({ name }) => [
          {
            label: 'Delete',
            disabled: whyNot,
            onSelect: () =>
              confirmDelete({
                kind: 'certificate',
                name,
                gone: 'Its private key is gone for good.',
                ...(certificates.length === 1 && {
                  extra: 'It is the only certificate of the silo. Browsers will warn of the silo without it.',
                }),
                run: () => remove(name),
              }),
          },
        ]}
        empty={<EmptyState title="No certificates">Add a TLS certificate to see it here.</EmptyState>}
      />
      {isOpen && (
        <CertificateDialog
          silo={silo}
          takenNames={certificates.map(({ name }) => name)}
          save={create}
          saved={() => 'Certificate added'}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
