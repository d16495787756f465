import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../data/use-op.ts'
import { policyTip } from '../../../../../features/affinity/policy.tsx'
import { type AffinityPolicy, affinityPaths, groupView } from '../../../../../features/affinity/queries.ts'
import { DescriptionField, NameField, useFormField } from '../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { told } from '../../../../../features/common/told.tsx'
import { Field } from '../../../../../ui/Field.tsx'
import { RadioGroup } from '../../../../../ui/Radio.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity/affinity-new')({
  staticData: {
    crumb: ({ project = '' }) => ({
      label: 'New anti-affinity group',
      path: affinityPaths.create(project),
      titleOnly: true,
    }),
  },
  component: GroupNew,
})

const initial = { name: '', description: '', policy: 'allow' as AffinityPolicy }

function GroupNew() {
  const { project } = Route.useParams()
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const create = useOp(op.antiAffinityGroupCreate, {
    onSuccess: (group) => queryClient.setQueryData(groupView(project, group.name).queryKey, group),
  })
  return (
    <SideForm
      title="Add anti-affinity group"
      submitLabel="Add group"
      pendingLabel="Adding group"
      context={`In project ${project}`}
      initial={initial}
      save={(values) => create.run({ query: { project }, body: { ...values, failureDomain: 'sled' } })}
      saved={({ name }) => told('Anti-affinity group', name, 'created')}
      onSaved={({ name: group }) =>
        void navigate({ to: '/projects/$project/affinity/$group', params: { project, group } })
      }
      closeTo={affinityPaths.list(project)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <PolicyField />
    </SideForm>
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
