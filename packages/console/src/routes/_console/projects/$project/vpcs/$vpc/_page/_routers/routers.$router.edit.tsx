import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { routerLink, vpcLink } from '#/features/vpcs/links.ts'
import { routerAt, routerView } from '#/features/vpcs/routers/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_routers/routers/$router/edit',
)({
  loader: ({ context, params: { project, vpc, router } }) => context.renew(routerView(project, vpc, router)),
  staticData: { title: 'Edit router' },
  component: RouterEdit,
})

function RouterEdit() {
  const { project, vpc, router: name } = Route.useParams()
  const view = routerView(project, vpc, name)
  const { data: router } = useSuspenseQuery(view)
  const update = useOp(op.vpcRouterUpdate, {
    sees: view,
    seeds: (updated) => routerView(project, vpc, updated.name),
  })
  return (
    <EditForm
      kind="router"
      pageOf={(saved) => routerLink(project, vpc, saved.name)}
      context={`In VPC ${vpc}`}
      initial={{ name: router.name, description: router.description }}
      save={(body, send) => update.run({ ...routerAt(project, vpc, name), body }, send)}
      reviewable
      closeTo={vpcLink(project, vpc, 'routers')}
      disabled={useWhyNotNetworks(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}
