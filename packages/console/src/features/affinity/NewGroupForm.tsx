import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { useNavigate } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, useFormField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { affinityGroupLink, familyLink } from './links.ts'
import { type AffinityPolicy, familyChanges, groupView } from './queries.ts'
import { kindOf, policyTips } from './words.tsx'

const initial = { name: '', description: '', policy: 'allow' as AffinityPolicy }

export function NewGroupForm({ family, project }: { family: AffinityFamily; project: string }) {
  const navigate = useNavigate()
  const create = useOp(familyChanges[family].create, {
    seeds: ({ name }) => groupView(family, project, name),
  })
  const kind = kindOf(family)
  return (
    <CreateForm
      kind={kind}
      pageOf={({ name }) => affinityGroupLink(family, project, name)}
      title={`Add ${kind}`}
      submitLabel="Add group"
      pendingLabel="Adding group"
      context={`In project ${project}`}
      initial={initial}
      save={(values, send) =>
        create.run({ query: { project }, body: { ...values, failureDomain: 'sled' } }, send)
      }
      onSaved={({ name }) => void navigate(affinityGroupLink(family, project, name))}
      closeTo={familyLink(family, project)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <PolicyField hint={policyTips[family]} />
    </CreateForm>
  )
}

const policies: readonly { value: AffinityPolicy; label: string }[] = [
  { value: 'allow', label: 'Allow' },
  { value: 'fail', label: 'Fail' },
]

function PolicyField({ hint }: { hint: string }) {
  const { value, onChange } = useFormField<AffinityPolicy>('policy')
  return (
    <Field group label="Policy" hint={hint}>
      <RadioGroup options={policies} value={value} onChange={onChange} />
    </Field>
  )
}
