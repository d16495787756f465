import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { routerLink, vpcLink } from '#/features/vpcs/links.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_routers/routers-new')({
  staticData: { title: 'New router' },
  component: RouterNew,
})

function RouterNew() {
  const { project, vpc } = Route.useParams()
  const create = useOp(op.vpcRouterCreate)
  return (
    <CreateForm
      kind="router"
      pageOf={({ name }) => routerLink(project, vpc, name)}
      context={`In VPC ${vpc}`}
      initial={{ name: '', description: '' }}
      save={(body, send) => create.run({ query: { project, vpc }, body }, send)}
      reviewable
      closeTo={vpcLink(project, vpc, 'routers')}
      disabled={useWhyNotNetworks(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </CreateForm>
  )
}
