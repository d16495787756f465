import type { RoleName } from '@gantry/api/roles.rules'
import { useState } from 'react'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { SideForm } from '#/features/common/forms/SideForm.tsx'
import { Note } from '#/ui/Note.tsx'
import { type PolicyPlace, placeName } from './policy-place.ts'
import { RoleField } from './RoleField.tsx'
import type { AccessRow } from './rows.ts'
import { roleMessage } from './role-message.tsx'
import { useDecidePolicy } from './use-decide-policy.ts'

interface Props {
  place: PolicyPlace
  /** Users and groups without a role in this policy. */
  candidates: readonly AccessRow[]
  onClose: () => void
}

interface Values {
  identity: string
  role: RoleName | ''
}

const nothing: Values = { identity: '', role: '' }
const onFleet: Values = { identity: '', role: 'viewer' }

/** Assigns a role to a user or group without one here. */
export function AssignRoleForm({ place, candidates, onClose }: Props) {
  const change = useDecidePolicy(place)
  const isFleet = place.level === 'fleet'
  // Keeps the candidates of the first render: one who gets a role in the meantime must not vanish while selected.
  const [offered] = useState(candidates)

  async function save({ identity, role }: Values): Promise<AccessRow> {
    const selected = offered.find(({ id }) => id === identity)
    if (!selected || !role) throw new Error('the form let an empty field through')
    await change({ identityId: selected.id, identityType: selected.type, role, seen: undefined })
    return selected
  }

  return (
    <SideForm
      title="Add user or group"
      context={`To ${placeName(place)}`}
      submitLabel="Assign role"
      pendingLabel="Assigning role"
      initial={isFleet ? onFleet : nothing}
      save={save}
      saved={({ name }) => roleMessage('Role assigned to', name)}
      closeTo={onClose}
    >
      {isFleet && <Note>Roles on the fleet give no access to what is in silos.</Note>}
      <ChoiceField
        name="identity"
        label="User or group"
        placeholder="Select an option"
        options={offered.map(({ id, type, name }) => ({
          value: id,
          label: name,
          ...(type === 'silo_group' && { detail: 'Group' }),
        }))}
      />
      <RoleField level={place.level} />
    </SideForm>
  )
}
