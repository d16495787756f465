import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../../../../data/use-op.ts'
import { DescriptionField, NameField } from '../../../../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../../../../features/common/project-permission.ts'
import { told } from '../../../../../../../../features/common/told.tsx'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { vpcAt, vpcView } from '../../../../../../../../features/networking/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/edit')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Edit VPC',
      path: vpcPaths.edit(project, vpc),
      titleOnly: true,
    }),
  },
  component: VpcEdit,
})

function VpcEdit() {
  const { project, vpc: name } = Route.useParams()
  const view = vpcView(project, name)
  const queryClient = useQueryClient()
  const navigate = Route.useNavigate()
  const { data: vpc } = useSuspenseQuery(view)
  const update = useOp(op.vpcUpdate, {
    sees: view,
    onSuccess: (updated) => queryClient.setQueryData(vpcView(project, updated.name).queryKey, updated),
  })
  return (
    <SideForm
      title="Edit VPC"
      submitLabel="Update VPC"
      pendingLabel="Updating VPC"
      initial={{ name: vpc.name, description: vpc.description, dnsName: vpc.dnsName }}
      save={(body) => update.run({ ...vpcAt(project, name), body })}
      saved={(updated) => told('VPC', updated.name, 'updated')}
      onSaved={(updated) =>
        void navigate({
          to: '/projects/$project/vpcs/$vpc/firewall-rules',
          params: { project, vpc: updated.name },
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={vpcPaths.firewallRules(project, name)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <NameField name="dnsName" label="DNS name" />
    </SideForm>
  )
}
