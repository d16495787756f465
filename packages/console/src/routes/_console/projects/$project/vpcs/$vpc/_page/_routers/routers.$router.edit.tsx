import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../../../../data/use-op.ts'
import { DescriptionField, NameField } from '../../../../../../../../features/common/forms/fields.tsx'
import { SideForm } from '../../../../../../../../features/common/forms/SideForm.tsx'
import { useWhyNotInProject } from '../../../../../../../../features/common/project-permission.ts'
import { told } from '../../../../../../../../features/common/told.tsx'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { routerAt, routerView } from '../../../../../../../../features/networking/vpcs/routers/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_routers/routers/$router/edit',
)({
  loader: ({ context, params: { project, vpc, router } }) =>
    context.prefetch(routerView(project, vpc, router)),
  staticData: {
    crumb: ({ project = '', vpc = '', router = '' }) => ({
      label: 'Edit Router',
      path: vpcPaths.routerEdit(project, vpc, router),
      titleOnly: true,
    }),
  },
  component: RouterEdit,
})

function RouterEdit() {
  const { project, vpc, router: name } = Route.useParams()
  const view = routerView(project, vpc, name)
  const queryClient = useQueryClient()
  const { data: router } = useSuspenseQuery(view)
  const update = useOp(op.vpcRouterUpdate, {
    sees: view,
    onSuccess: (updated) =>
      queryClient.setQueryData(routerView(project, vpc, updated.name).queryKey, updated),
  })
  return (
    <SideForm
      title="Edit router"
      context={`In VPC ${vpc}`}
      submitLabel="Update router"
      pendingLabel="Updating router"
      initial={{ name: router.name, description: router.description }}
      save={(body) => update.run({ ...routerAt(project, vpc, name), body })}
      saved={(updated) => told('Router', updated.name, 'updated')}
      closeTo={vpcPaths.routers(project, vpc)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}
