import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField } from '#/features/common/forms/choice-fields.tsx'
import { DescriptionField, NameField } from '#/features/common/forms/fields.tsx'
import { CreateForm } from '#/features/common/forms/KindForms.tsx'
import { CertificatesField } from '#/features/silos/create/CertificatesField.tsx'
import { IdentitySection } from '#/features/silos/create/IdentitySection.tsx'
import { emptySilo, siloBody } from '#/features/silos/create/values.ts'
import { siloView } from '#/features/silos/queries.ts'
import { QuotaFields } from '#/features/silos/QuotaFields.tsx'
import { Note } from '#/ui/Note.tsx'
import { siloLink } from '#/features/silos/links.ts'

export const Route = createFileRoute('/_console/system/_silos/silos-new')({
  staticData: { title: 'New Silo' },
  component: SiloNew,
})

function SiloNew() {
  const create = useOp(op.siloCreate, { seeds: ({ name }) => siloView(name) })
  return (
    <CreateForm
      kind="silo"
      pageOf={({ name }) => siloLink(name)}
      initial={emptySilo}
      save={(values) => create.run({ body: siloBody(values) })}
      closeTo={{ to: '/system/silos' }}
      disabled={useWhyNot({ action: 'create_child', object: 'fleet' })}
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
