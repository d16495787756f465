import { samlXmlMaxBytes } from '@gantry/api/saml.rules'
import { useFormContext } from 'react-hook-form'
import { FileFormField } from '#/features/common/FileFormField.tsx'
import { TextField, useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { RadioGroup } from '#/ui/Radio.tsx'
import { MetadataCheck } from './MetadataCheck.tsx'
import type { ProviderValues } from './values.ts'

const kinds = [
  { value: 'url', label: 'URL' },
  { value: 'xml', label: 'XML' },
] as const

/** The source of the provider's metadata, and its contents. */
export function MetadataFields({ silo }: { silo: string }) {
  const form = useFormContext<ProviderValues>()
  const { value: kind, onChange } = useFormField<ProviderValues['metadataKind']>('metadataKind')
  return (
    <>
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
        <TextField name="metadataUrl" label="Metadata source URL" />
      ) : (
        <FileFormField name="metadataXml" label="Metadata source XML" maxBytes={samlXmlMaxBytes} />
      )}
      <MetadataCheck silo={silo} />
    </>
  )
}
