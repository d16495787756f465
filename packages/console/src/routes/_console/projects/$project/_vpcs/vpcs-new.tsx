import * as op from '@gantry/api/client/operations.gen'
import { vpcPrefixFieldProblem } from '@gantry/api/network/vpc.rules'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { vpcView } from '#/features/vpcs/queries.ts'
import { vpcLink } from '#/features/vpcs/links.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'

export const Route = createFileRoute('/_console/projects/$project/_vpcs/vpcs-new')({
  staticData: { title: 'New VPC' },
  component: VpcNew,
})

const initial = { name: '', description: '', dnsName: '', ipv6Prefix: '' }

function VpcNew() {
  const { project } = Route.useParams()
  const navigate = Route.useNavigate()
  const create = useOp(op.vpcCreate, {
    seeds: ({ name }) => vpcView(project, name),
  })
  return (
    <CreateForm
      kind="VPC"
      pageOf={({ name }) => vpcLink(project, name)}
      context={`In project ${project}`}
      initial={initial}
      save={({ ipv6Prefix, ...values }, send) => {
        const prefix = ipv6Prefix.trim()
        const body = { ...values, ...(prefix && { ipv6Prefix: prefix }) }
        return create.run({ query: { project }, body }, send)
      }}
      onSaved={({ name: vpc }) =>
        void navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { project, vpc } })
      }
      closeTo={{ to: '/projects/$project/vpcs', params: { project } }}
      disabled={useWhyNotNetworks(project)}
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
      <NewTags kind="vpc" project={project} />
    </CreateForm>
  )
}
