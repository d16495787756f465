import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/features/common/forms/fields.tsx'
import { EditForm } from '#/features/common/forms/KindForms.tsx'
import { interfaceById } from './queries.ts'
import { TransitIpsField } from './TransitIpsField.tsx'

interface Props {
  id: string
  instance: string
  onClose: () => void
}

/** The editable fields of an interface: its address, VPC and subnet are permanent. */
export function EditInterface({ id, instance, onClose }: Props) {
  const view = interfaceById(id)
  const { data: seen } = useSuspenseQuery(view)
  const update = useOp(op.instanceNetworkInterfaceUpdate, { sees: view })
  return (
    <EditForm
      kind="network interface"
      context={`Of instance ${instance}`}
      initial={{ name: seen.name, description: seen.description, transitIps: seen.transitIps }}
      save={(body) => update.run({ path: { interface: id }, body })}
      closeTo={onClose}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <TransitIpsField />
    </EditForm>
  )
}
