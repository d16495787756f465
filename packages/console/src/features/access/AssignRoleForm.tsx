import type { RoleName } from '@gantry/api/roles.rules'
import { useState } from 'react'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { SideForm } from '#/features/common/forms/SideForm.tsx'
import { Note } from '#/ui/Note.tsx'
import { type PolicyPlace, placeName } from './policy-place.ts'
import { RoleField } from './RoleField.tsx'
import type { AccessRow } from './rows.ts'
import { toldRole } from './told-role.tsx'
import { useDecidePolicy } from './use-decide-policy.ts'

interface Props {
  place: PolicyPlace
  /** Those who have no role in this policy yet. */
  candidates: readonly AccessRow[]
  onClose: () => void
}

interface Values {
  identity: string
  role: RoleName | ''
}

const nothing: Values = { identity: '', role: '' }
const onFleet: Values = { identity: '', role: 'viewer' }

/** Gives a role to somebody who has none here. */
export function AssignRoleForm({ place, candidates, onClose }: Props) {
  const change = useDecidePolicy(place)
  const isFleet = place.level === 'fleet'
  // Those of the beginning: whoever gets a role meanwhile must not vanish from under a choice.
  const [offered] = useState(candidates)

  async function save({ identity, role }: Values): Promise<AccessRow> {
    const chosen = offered.find(({ id }) => id === identity)
    if (!chosen || !role) throw new Error('the form let an empty field through')
    await change({ identityId: chosen.id, identityType: chosen.type, role, seen: undefined })
    return chosen
  }

  return (
    <SideForm
      title="Add user or group"
      context={`To ${placeName(place)}`}
      submitLabel="Assign role"
      pendingLabel="Assigning role"
      initial={isFleet ? onFleet : nothing}
      save={save}
      saved={({ name }) => toldRole('Role assigned to', name)}
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
