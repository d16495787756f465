import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { vpcLink } from '#/features/vpcs/links.ts'
import { subnetAt, subnetView } from '#/features/vpcs/queries.ts'
import { routerChoice, RouterField, routerOf } from '#/features/vpcs/subnets/RouterField.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets/$subnet/edit',
)({
  loader: ({ context, params: { project, vpc, subnet } }) => context.renew(subnetView(project, vpc, subnet)),
  staticData: { title: 'Edit subnet' },
  component: SubnetEdit,
})

function SubnetEdit() {
  const { project, vpc, subnet: name } = Route.useParams()
  const view = subnetView(project, vpc, name)
  const { data: subnet } = useSuspenseQuery(view)
  const update = useOp(op.vpcSubnetUpdate, { sees: view })
  return (
    <EditForm
      kind="subnet"
      context={`In VPC ${vpc}`}
      initial={{
        name: subnet.name,
        description: subnet.description,
        customRouter: routerChoice(subnet.customRouterId),
      }}
      // Leaving the router out detaches it, so every change sends it.
      save={({ customRouter, ...body }, send) =>
        update.run({ ...subnetAt(project, vpc, name), body: { ...body, ...routerOf(customRouter) } }, send)
      }
      closeTo={vpcLink(project, vpc, 'subnets')}
      disabled={useWhyNotNetworks(project)}
    >
      <DataPlate narrow>
        <DataItem label="IPv4 block">
          <span className="font-mono text-[0.8125rem]">{subnet.ipv4Block}</span>
        </DataItem>
        <DataItem label="IPv6 block">
          <span className="font-mono text-[0.8125rem]">{subnet.ipv6Block}</span>
        </DataItem>
      </DataPlate>
      <NameField name="name" />
      <DescriptionField name="description" />
      <RouterField project={project} vpc={vpc} />
    </EditForm>
  )
}
