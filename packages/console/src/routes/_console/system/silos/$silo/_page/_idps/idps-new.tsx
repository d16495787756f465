import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '#/data/permissions.ts'
import { FileFormField } from '#/features/common/FileFormField.tsx'
import { DescriptionField, TextField } from '#/features/common/forms/fields.tsx'
import { CreateForm } from '#/features/common/forms/KindForms.tsx'
import { linkedSuccessMessage } from '#/features/common/success-message.tsx'
import { AcsUrlFields, ProviderNameField } from '#/features/silos/idps/AcsUrlFields.tsx'
import { MetadataFields } from '#/features/silos/idps/MetadataFields.tsx'
import { OtherEntity, useProviderSave } from '#/features/silos/idps/use-provider-save.ts'
import { emptyProvider, keyPairProblem, standardAcsUrl } from '#/features/silos/idps/values.ts'
import { samlProviderLink, siloLink } from '#/features/silos/links.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Note } from '#/ui/Note.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps-new')({
  staticData: { title: 'New Identity Provider' },
  component: ProviderNew,
})

/** Limit of a key or certificate in bytes: the contract accepts 16,384 characters of base64. */
const maxKeyBytes = 12_288

function ProviderNew() {
  const { silo } = Route.useParams()
  return (
    <CreateForm
      kind="identity provider"
      submitLabel="Create provider"
      context={`In silo ${silo}`}
      initial={emptyProvider(standardAcsUrl(location.hostname, silo, ''))}
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
        hint="Service provider endpoint for log-out requests."
        optional
      />
      <h3 className="text-md">Request signing</h3>
      <FileFormField
        name="publicCert"
        label="Public certificate"
        hint="An X.509 certificate, DER encoded."
        maxBytes={maxKeyBytes}
        optional
      />
      <FileFormField
        name="privateKey"
        label="Private key"
        hint="An RSA private key, DER encoded."
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
