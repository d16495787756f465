import { certificateLimits } from '@gantry/api/people/certificate.rules'
import { withoutPrivateKeys } from '@gantry/api/base/private-key.rules'
import { publicBytesOf, textOf } from '#/kit/inputs/chosen-file.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { FileFormField } from '#/kit/forms/FileFormField.tsx'
import { FileNotes } from './FileNotes.tsx'
import type { NewCertificate } from '../create/values.ts'

interface Values {
  name: string
  description: string
  cert: File | undefined
  key: File | undefined
}

interface Props {
  /** Its name; empty until entered. */
  silo: string
  takenNames: readonly string[]
  save: (certificate: NewCertificate) => Promise<unknown>
  saved?: () => string
  onClose: () => void
}

const empty: Values = { name: '', description: '', cert: undefined, key: undefined }

/** A key in the same file is for the other field, and not sent with the chain. */
async function chainOf(file: File): Promise<string> {
  const text = await textOf(file)
  if (!text.includes('-----BEGIN CERTIFICATE-----')) await publicBytesOf(file, 'Cert')
  return withoutPrivateKeys(text)
}

/** Asks for a chain and its key. Reads both files when they are added, so that they can move afterwards. */
export function CertificateDialog({ silo, takenNames, save, saved, onClose }: Props) {
  return (
    <DialogForm
      title="Add TLS certificate"
      submitLabel="Add certificate"
      pendingLabel="Adding certificate"
      initial={empty}
      save={async ({ name, description, cert, key }) =>
        save({
          name,
          description,
          service: 'external_api',
          cert: cert ? await chainOf(cert) : '',
          key: key ? await textOf(key) : '',
        })
      }
      {...(saved && { saved })}
      onClose={onClose}
    >
      <NameField
        name="name"
        problem={(name) =>
          takenNames.includes(name) ? 'A certificate with this name already exists' : undefined
        }
      />
      <DescriptionField name="description" />
      <FileFormField
        name="cert"
        label="Cert"
        hint="The chain as PEM, starting with the certificate of the silo."
        maxBytes={certificateLimits.chain}
      />
      <FileNotes silo={silo} />
      <FileFormField
        name="key"
        label="Key"
        hint="The private key as PEM, without a passphrase."
        maxBytes={certificateLimits.key}
      />
    </DialogForm>
  )
}
