import * as op from '@gantry/api/client/operations.gen'
import { vpcPrefixFieldProblem } from '@gantry/api/vpc.rules'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../data/use-op.ts'
import { DescriptionField, NameField, TextField } from '../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { told } from '../../../../../features/common/told.tsx'

import { vpcPaths } from '../../../../../features/networking/vpcs/paths.ts'
import { vpcView } from '../../../../../features/networking/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_vpcs/vpcs-new')({
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'New VPC', path: vpcPaths.create(project), titleOnly: true }),
  },
  component: VpcNew,
})

const initial = { name: '', description: '', dnsName: '', ipv6Prefix: '' }

function VpcNew() {
  const { project } = Route.useParams()
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const create = useOp(op.vpcCreate, {
    onSuccess: (vpc) => queryClient.setQueryData(vpcView(project, vpc.name).queryKey, vpc),
  })
  return (
    <SideForm
      title="Create VPC"
      pendingLabel="Creating VPC"
      context={`In project ${project}`}
      initial={initial}
      save={({ ipv6Prefix, ...values }) => {
        const prefix = ipv6Prefix.trim()
        return create.run({ query: { project }, body: { ...values, ...(prefix && { ipv6Prefix: prefix }) } })
      }}
      saved={({ name }) => told('VPC', name, 'created')}
      onSaved={({ name: vpc }) =>
        void navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { project, vpc } })
      }
      closeTo={vpcPaths.list(project)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <NameField name="dnsName" label="DNS name" />
      <TextField
        name="ipv6Prefix"
        label="IPV6 prefix"
        hint="A /48 in fd00::/8. Leave blank to get a random one."
        optional
        mono
        problem={(text) => vpcPrefixFieldProblem(text.trim())}
      />
    </SideForm>
  )
}
