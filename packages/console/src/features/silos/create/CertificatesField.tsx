import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useFormField } from '#/features/common/forms/fields.tsx'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { MiniTable } from '#/ui/MiniTable.tsx'
import type { NewCertificate } from './values.ts'

const CertificateDialog = lazyPart(() => import('../certificates/CertificateDialog.tsx'), 'CertificateDialog')

const columns = [{ header: 'Name', cell: ({ name }: NewCertificate) => name }]

/** Certificates created with the silo: the value `certificates` of the form. */
export function CertificatesField() {
  const { ref, value, onChange, error } = useFormField<NewCertificate[]>('certificates', (certificates) =>
    certificates.length === 0 ? 'At least one certificate is required' : undefined,
  )
  const silo = useWatch<{ name: string }>({ name: 'name' })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Field group label="TLS Certificates" error={error}>
        <div className="space-y-3">
          <MiniTable
            label="TLS Certificates"
            columns={columns}
            items={value}
            itemKey={({ name }) => name}
            onRemove={(removed) => onChange(value.filter((each) => each !== removed))}
            removeLabel={({ name }) => `remove cert ${name}`}
          />
          <Button ref={ref} onClick={() => setOpen(true)}>
            Add TLS certificate
          </Button>
        </div>
      </Field>
      {isOpen && (
        <CertificateDialog
          silo={silo}
          takenNames={value.map(({ name }) => name)}
          save={async (certificate) => onChange([...value, certificate])}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
