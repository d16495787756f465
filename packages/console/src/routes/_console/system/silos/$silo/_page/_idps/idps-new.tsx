import * as op from '@gantry/api/client/operations.gen'
import { samlMetadataMaxBytes } from '@gantry/api/saml.rules'
import { createFileRoute } from '@tanstack/react-router'
import { useFormContext } from 'react-hook-form'
import { isAbsent } from '#/data/extensions.ts'
import { Failure } from '#/data/failure.ts'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { FileFormField } from '#/features/common/FileFormField.tsx'
import { DescriptionField, TextField, useFormField } from '#/features/common/forms/fields.tsx'
import { CreateForm } from '#/features/common/forms/KindForms.tsx'
import { linkedSuccessMessage } from '#/features/common/success-message.tsx'
import { useHasExtensions } from '#/features/common/use-served.ts'
import { AcsUrlFields, ProviderNameField } from '#/features/silos/idps/AcsUrlFields.tsx'
import { MetadataCheck } from '#/features/silos/idps/MetadataCheck.tsx'
import {
  emptyProvider,
  keyPairProblem,
  metadataSource,
  providerBody,
  type ProviderValues,
  standardAcsUrl,
} from '#/features/silos/idps/values.ts'
import { samlProviderLink, siloLink } from '#/features/silos/links.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Field } from '#/ui/Field.tsx'
import { Note } from '#/ui/Note.tsx'
import { RadioGroup } from '#/ui/Radio.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps-new')({
  staticData: { title: 'New Identity Provider' },
  component: ProviderNew,
})

/** Limit of a key or certificate in bytes: the contract accepts 16,384 characters of base64. PEM takes a little more. */
const maxKeyBytes = 12_288

function ProviderNew() {
  const { silo } = Route.useParams()
  return (
    <CreateForm
      kind="identity provider"
      submitLabel="Create provider"
      context={`In silo ${silo}`}
      initial={emptyProvider(standardAcsUrl(location, silo, ''))}
      check={keyPairProblem}
      save={useProviderSave(silo)}
      saved={({ name }) => linkedSuccessMessage('IdP', name, 'created', samlProviderLink(silo, name))}
      fieldOf={(failure) => {
        if (failure instanceof OtherEntity) return 'idpEntityId'
        return failure.errorCode === 'ObjectAlreadyExists' ? 'name' : undefined
      }}
      closeTo={siloLink(silo)}
      disabled={useWhyNot({ action: 'create_child', object: 'identity_provider', id: silo })}
    >
      <Note>
        Register this silo at the identity provider first.{' '}
        <ExternalLink href="/docs/identity-providers.md">Identity providers</ExternalLink>
      </Note>
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
      <MetadataFields silo={silo} />
    </CreateForm>
  )
}

const kinds = [
  { value: 'url', label: 'URL' },
  { value: 'xml', label: 'XML' },
] as const

/** The source of the provider's metadata, and its contents. */
function MetadataFields({ silo }: { silo: string }) {
  const canCheck = useHasExtensions()
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
        <FileFormField name="metadataXml" label="Metadata source XML" maxBytes={samlMetadataMaxBytes} />
      )}
      {canCheck && <MetadataCheck silo={silo} />}
    </>
  )
}

/** Refuses an Entity ID with which every sign-in would fail. */
class OtherEntity extends Failure {
  constructor(entityId: string) {
    super({
      message: `The metadata describes the entity ${entityId}`,
      statusCode: 0,
      help: 'Enter this Entity ID, or use the metadata of the other provider.',
    })
  }
}

/** Creates a provider after reading its metadata, where the server can, so that nothing unusable is saved. */
function useProviderSave(silo: string) {
  const check = useOp(op.samlMetadataCheck)
  const create = useOp(op.samlIdentityProviderCreate)
  const query = { silo }
  return async (values: ProviderValues) => {
    const source = await metadataSource(values)
    if (!source) throw new Failure({ message: 'Metadata source is required', statusCode: 0 })
    const found = await check
      .run({ query, body: { idpMetadataSource: source, idpEntityId: values.idpEntityId.trim() } })
      .catch((error: unknown) => {
        if (!isAbsent(op.samlMetadataCheck)) throw error
      })
    if (found?.entityId && found.entityId !== values.idpEntityId.trim()) throw new OtherEntity(found.entityId)
    return create.run({ query, body: await providerBody(values, source) })
  }
}
