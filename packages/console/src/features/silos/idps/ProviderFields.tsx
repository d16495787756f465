import { samlMetadataMaxBytes } from '@gantry/api/people/saml.rules'
import { useFormContext } from 'react-hook-form'
import { FileFormField } from '#/kit/forms/FileFormField.tsx'
import { DescriptionField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { AcsUrlFields, ProviderNameField } from './AcsUrlFields.tsx'
import { MetadataCheck } from './MetadataCheck.tsx'
import type { ProviderValues } from './values.ts'

/** Limit of a key or certificate in bytes: the contract accepts 16,384 characters of base64. PEM takes a little more. */
const maxKeyBytes = 12_288

interface Props {
  silo: string
  /** The provider exists: its metadata and key stay unless new ones are given. */
  isEdit?: boolean
}

/** The fields of a provider, new or to be corrected. */
export function ProviderFields({ silo, isEdit = false }: Props) {
  return (
    <>
      <ProviderNameField silo={silo} />
      <DescriptionField name="description" />
      <TextField name="technicalContactEmail" label="Technical contact email" optional />
      <h3 className="text-md">Service provider</h3>
      <TextField name="spClientId" label="Service provider client ID" />
      <AcsUrlFields silo={silo} />
      <TextField
        name="sloUrl"
        label="Single Logout (SLO) URL"
        hint="Service provider endpoint for logout requests."
        optional
      />
      <h3 className="text-md">Request signing</h3>
      {isEdit && <p className="text-muted">A stored key stays unless you give another one.</p>}
      <FileFormField
        name="publicCert"
        label="Public certificate"
        hint="An X.509 certificate, in PEM or DER."
        maxBytes={maxKeyBytes}
        optional
      />
      <FileFormField
        name="privateKey"
        label="Private key"
        hint="An RSA private key without a passphrase, in PEM or DER."
        maxBytes={maxKeyBytes}
        optional
      />
      <h3 className="text-md">Identity provider</h3>
      <TextField name="idpEntityId" label="Entity ID" />
      <TextField
        name="groupAttributeName"
        label="Group attribute name"
        hint="The SAML attribute that lists the groups of a user."
        optional
      />
      <MetadataFields silo={silo} isEdit={isEdit} />
    </>
  )
}

const kinds = [
  { value: 'url', label: 'URL' },
  { value: 'xml', label: 'XML' },
] as const

/** The source of the provider's metadata, and its contents. */
function MetadataFields({ silo, isEdit }: Props) {
  const canCheck = useHasExtensions()
  const form = useFormContext<ProviderValues>()
  const { value: kind, onChange } = useFormField<ProviderValues['metadataKind']>('metadataKind')
  return (
    <>
      {isEdit && <p className="text-muted">The stored metadata stays unless you give another source.</p>}
      <Field group label="Metadata source">
        <RadioGroup
          options={kinds}
          value={kind}
          onChange={(selected) => {
            onChange(selected)
            form.setValue('metadataUrl', '', { shouldDirty: true })
            form.setValue('metadataXml', undefined, { shouldDirty: true })
          }}
        />
      </Field>
      {kind === 'url' ? (
        <TextField name="metadataUrl" label="Metadata source URL" optional={isEdit} />
      ) : (
        <FileFormField
          name="metadataXml"
          label="Metadata source XML"
          maxBytes={samlMetadataMaxBytes}
          optional={isEdit}
        />
      )}
      {canCheck && <MetadataCheck silo={silo} />}
    </>
  )
}
