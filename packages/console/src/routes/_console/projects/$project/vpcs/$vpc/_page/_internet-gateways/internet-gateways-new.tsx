import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { gatewayLink, vpcLink } from '#/features/vpcs/links.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways-new',
)({
  staticData: { title: 'New internet gateway' },
  component: GatewayNew,
})

function GatewayNew() {
  const { project, vpc } = Route.useParams()
  const create = useOp(op.internetGatewayCreate)
  return (
    <CreateForm
      kind="internet gateway"
      pageOf={({ name }) => gatewayLink(project, vpc, name)}
      context={`In VPC ${vpc}`}
      initial={{ name: '', description: '' }}
      save={(body, send) => create.run({ query: { project, vpc }, body }, send)}
      closeTo={vpcLink(project, vpc, 'internet-gateways')}
      disabled={useWhyNotNetworks(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </CreateForm>
  )
}
