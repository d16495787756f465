import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../../../../data/use-op.ts'
import { DescriptionField, NameField } from '../../../../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../../../../features/common/project-permission.ts'
import { told } from '../../../../../../../../features/common/told.tsx'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_routers/routers-new')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'New Router',
      path: vpcPaths.routerCreate(project, vpc),
      titleOnly: true,
    }),
  },
  component: RouterNew,
})

function RouterNew() {
  const { project, vpc } = Route.useParams()
  const create = useOp(op.vpcRouterCreate)
  return (
    <SideForm
      title="Create router"
      context={`In VPC ${vpc}`}
      pendingLabel="Creating router"
      initial={{ name: '', description: '' }}
      save={(body) => create.run({ query: { project, vpc }, body })}
      saved={({ name }) => told('Router', name, 'created')}
      closeTo={vpcPaths.routers(project, vpc)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}
