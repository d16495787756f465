import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { vpcAt, vpcView } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/edit')({
  loader: ({ context, params: { project, vpc } }) => context.renew(vpcView(project, vpc)),
  staticData: { title: 'Edit VPC' },
  component: VpcEdit,
})

function VpcEdit() {
  const { project, vpc: name } = Route.useParams()
  const view = vpcView(project, name)
  const navigate = Route.useNavigate()
  const { data: vpc } = useSuspenseQuery(view)
  const update = useOp(op.vpcUpdate, {
    sees: view,
    seeds: (updated) => vpcView(project, updated.name),
  })
  return (
    <EditForm
      kind="VPC"
      pageOf={(saved) => vpcLink(project, saved.name)}
      initial={{ name: vpc.name, description: vpc.description, dnsName: vpc.dnsName }}
      save={(body, send) => update.run({ ...vpcAt(project, name), body }, send)}
      onSaved={(updated) =>
        void navigate({
          to: '/projects/$project/vpcs/$vpc/firewall-rules',
          params: { project, vpc: updated.name },
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={vpcLink(project, name)}
      disabled={useWhyNotNetworks(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <NameField name="dnsName" label="DNS name" />
    </EditForm>
  )
}
