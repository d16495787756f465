import * as op from '@gantry/api/client/operations.gen'
import { capitalise } from '@gantry/api/base/errors.rules'
import { groupNameProblem, type IdentityMode } from '@gantry/api/people/silo.rules'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useWhyNotInFleet, useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { emptySilo, type NewCertificate, siloBody, type SiloValues } from '#/features/silos/create/values.ts'
import { siloView } from '#/features/silos/queries.ts'
import { QuotaFields } from '#/features/silos/QuotaFields.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { identityModeOptions } from '#/features/silos/parts.tsx'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'

export const Route = createFileRoute('/_console/system/_silos/silos-new')({
  staticData: { title: 'New silo' },
  component: SiloNew,
})

function SiloNew() {
  const create = useOp(op.siloCreate, { seeds: ({ name }) => siloView(name) })
  return (
    <CreateForm
      kind="silo"
      pageOf={({ name }) => siloLink(name)}
      initial={emptySilo}
      save={(values, send) => create.run({ body: siloBody(values) }, send)}
      closeTo={{ to: '/system/silos' }}
      disabled={useWhyNotInFleet()}
    >
      <Note>
        A silo separates its users and resources from all other silos. Its name is part of its host name and
        cannot be changed later.
      </Note>
      <NameField name="name" />
      <DescriptionField name="description" />
      <CheckboxField name="discoverable">Discoverable</CheckboxField>
      <Rule />
      <QuotaFields suffix=" quota" />
      <Rule />
      <IdentitySection />
      <Rule />
      <CertificatesField />
    </CreateForm>
  )
}

const Rule = () => <hr className="border-faint-line" />

/** Where the users of a silo come from, and which of its roles map to fleet roles. */
function IdentitySection() {
  const form = useFormContext<SiloValues>()
  const { value: mode, onChange } = useFormField<IdentityMode>('identityMode')
  const whyNoMapping = useWhyNotOnFleet()
  return (
    <>
      <Field group label="Identity mode">
        <RadioGroup
          column
          options={identityModeOptions}
          value={mode}
          onChange={(selected) => {
            onChange(selected)
            form.setValue('adminGroupName', '', { shouldDirty: true })
          }}
        />
      </Field>
      {mode !== 'local_only' && (
        <TextField
          name="adminGroupName"
          label="Admin group name"
          hint="Members of this group of the identity provider administer the silo."
          optional
          problem={(name) => {
            const problem = groupNameProblem(name.trim())
            return problem && capitalise(problem)
          }}
        />
      )}
      <Field
        group
        label="Role mapping"
        hint={whyNoMapping ? `${whyNoMapping}.` : 'Silo roles that also grant a fleet role.'}
      >
        <div>
          <CheckboxField name="adminMapped" disabled={whyNoMapping !== undefined}>
            Grant fleet admin role to silo admins
          </CheckboxField>
          <CheckboxField name="viewerMapped" disabled={whyNoMapping !== undefined}>
            Grant fleet viewer role to silo viewers
          </CheckboxField>
        </div>
      </Field>
    </>
  )
}

const CertificateDialog = lazyPart(
  () => import('#/features/silos/certificates/CertificateDialog.tsx'),
  'CertificateDialog',
)

const columns = [{ header: 'Name', cell: ({ name }: NewCertificate) => name }]

/** Certificates created with the silo: the value `certificates` of the form. */
function CertificatesField() {
  const { ref, value, onChange, error } = useFormField<NewCertificate[]>('certificates')
  const silo = useWatch<{ name: string }>({ name: 'name' })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Field
        group
        optional
        label="TLS Certificates"
        hint="For the host name of the silo. They can be added later too."
        error={error}
      >
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
