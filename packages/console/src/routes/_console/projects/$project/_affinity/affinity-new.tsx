import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { policyTip } from '#/features/affinity/policy.tsx'
import { type AffinityPolicy, groupView } from '#/features/affinity/queries.ts'
import { DescriptionField, NameField, useFormField } from '#/features/common/forms/fields.tsx'
import { CreateForm } from '#/features/common/forms/KindForms.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { affinityGroupLink } from '#/features/affinity/links.ts'
import { Field } from '#/ui/Field.tsx'
import { RadioGroup } from '#/ui/Radio.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity/affinity-new')({
  staticData: { title: 'New anti-affinity group' },
  component: GroupNew,
})

const initial = { name: '', description: '', policy: 'allow' as AffinityPolicy }

function GroupNew() {
  const { project } = Route.useParams()
  const navigate = Route.useNavigate()
  const create = useOp(op.antiAffinityGroupCreate, {
    seeds: ({ name }) => groupView(project, name),
  })
  return (
    <CreateForm
      kind="anti-affinity group"
      pageOf={({ name }) => affinityGroupLink(project, name)}
      title="Add anti-affinity group"
      submitLabel="Add group"
      pendingLabel="Adding group"
      context={`In project ${project}`}
      initial={initial}
      save={(values) => create.run({ query: { project }, body: { ...values, failureDomain: 'sled' } })}
      onSaved={({ name: group }) =>
        void navigate({ to: '/projects/$project/affinity/$group', params: { project, group } })
      }
      closeTo={{ to: '/projects/$project/affinity', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <PolicyField />
    </CreateForm>
  )
}

const policies: readonly { value: AffinityPolicy; label: string }[] = [
  { value: 'allow', label: 'Allow' },
  { value: 'fail', label: 'Fail' },
]

function PolicyField() {
  const { value, onChange } = useFormField<AffinityPolicy>('policy')
  return (
    <Field group label="Policy" hint={policyTip}>
      <RadioGroup options={policies} value={value} onChange={onChange} />
    </Field>
  )
}
