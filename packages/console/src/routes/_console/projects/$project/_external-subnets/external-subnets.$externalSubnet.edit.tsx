import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { TimeItems, WideIdItem } from '#/kit/page/plate-items.tsx'
import { SubnetPoolName } from '#/features/addresses/external-subnets/parts.tsx'
import { externalSubnetAt, externalSubnetView } from '#/features/addresses/external-subnets/queries.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute(
  '/_console/projects/$project/_external-subnets/external-subnets/$externalSubnet/edit',
)({
  loader: ({ context, params: { project, externalSubnet } }) =>
    context.renew(externalSubnetView(project, externalSubnet)),
  staticData: { title: 'Edit external subnet' },
  component: EditExternalSubnet,
})

function EditExternalSubnet() {
  const { project, externalSubnet: name } = Route.useParams()
  const view = externalSubnetView(project, name)
  const { data } = useSuspenseQuery(view)
  const update = useOp(op.externalSubnetUpdate, {
    sees: view,
    seeds: (updated) => externalSubnetView(project, updated.name),
  })
  return (
    <EditForm
      kind="external subnet"
      initial={{ name: data.name, description: data.description }}
      save={(body, send) => update.run({ ...externalSubnetAt(project, name), body }, send)}
      reviewable
      closeTo={{ to: '/projects/$project/external-subnets', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
      <DataPlate narrow>
        <WideIdItem id={data.id} />
        <TimeItems of={data} changed="Updated" />
        <DataItem label="Block" wide>
          <CopyableId id={data.subnet} max={43} />
        </DataItem>
        <DataItem label="Subnet pool">
          <SubnetPoolName id={data.subnetPoolId} />
        </DataItem>
      </DataPlate>
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}
