import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useOp } from '../../data/use-op.ts'
import { DescriptionField, NameField } from '../common/forms/fields.tsx'
import { SideForm } from '../common/forms/SideForm.tsx'
import { told } from '../common/told.tsx'
import { interfaceById } from './queries.ts'
import { TransitIpsField } from './TransitIpsField.tsx'

interface Props {
  id: string
  instance: string
  onClose: () => void
}

/** What of an interface can change: its address and its place are for good. */
export function EditInterface({ id, instance, onClose }: Props) {
  const view = interfaceById(id)
  const { data: seen } = useSuspenseQuery(view)
  const update = useOp(op.instanceNetworkInterfaceUpdate, {
    sees: view,
  })
  return (
    <SideForm
      title="Edit network interface"
      context={`Of instance ${instance}`}
      submitLabel="Update network interface"
      pendingLabel="Updating network interface"
      initial={{ name: seen.name, description: seen.description, transitIps: seen.transitIps }}
      save={(body) => update.run({ path: { interface: id }, body })}
      saved={({ name }) => told('Network interface', name, 'updated')}
      closeTo={onClose}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <TransitIpsField />
    </SideForm>
  )
}
