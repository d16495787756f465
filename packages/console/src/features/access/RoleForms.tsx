import type { RoleName } from '@gantry/api/base/roles.rules'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Send } from '#/data/client.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { Edit } from './assignments.ts'
import { ownerName, type PolicyOwner } from './policy-owner.ts'
import { type AccessRow, nameInText } from './rows.ts'
import { RoleField } from './RoleField.tsx'
import { roleMessage } from './role-words.tsx'
import { useDecidePolicy } from './change-policy.ts'

interface Props {
  owner: PolicyOwner
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
export function AssignRoleForm({ owner, candidates, onClose }: Props) {
  const change = useDecidePolicy(owner)
  const isFleet = owner.level === 'fleet'
  // Keeps the candidates of the first render: one who gets a role in the meantime must not vanish while selected.
  const [offered] = useState(candidates)

  async function save({ identity, role }: Values, send?: Send): Promise<AccessRow> {
    const selected = offered.find(({ id }) => id === identity)
    if (!selected || !role) throw new Error('the form let an empty field through')
    await change({ identityId: selected.id, identityType: selected.type, role, seen: undefined }, send)
    return selected
  }

  return (
    <SideForm
      title="Add user or group"
      context={`To ${ownerName(owner)}`}
      submitLabel="Assign role"
      pendingLabel="Assigning role"
      initial={isFleet ? onFleet : nothing}
      save={save}
      reviewable
      saved={({ name }) => roleMessage('Role assigned to', name)}
      closeTo={onClose}
    >
      {isFleet && <Note>Fleet roles give no access to the resources in silos.</Note>}
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
      <RoleField level={owner.level} />
    </SideForm>
  )
}

interface ChangeRoleFormProps {
  owner: PolicyOwner
  row: AccessRow
  /** The current role here. */
  role: RoleName
  /** The access that the signed-in user would lose. */
  warning: (edit: Omit<Edit, 'seen'>) => string | undefined
  onClose: () => void
}

/** Replaces the role of a user or group. */
export function ChangeRoleForm({ owner, row, role: current, warning, onClose }: ChangeRoleFormProps) {
  const change = useDecidePolicy(owner)
  const [seen] = useState(current)
  const identity = { identityId: row.id, identityType: row.type }
  return (
    <SideForm
      title={`Change ${owner.level} role for ${nameInText(row)}`}
      submitLabel="Update role"
      pendingLabel="Updating role"
      initial={{ role: seen }}
      save={({ role }, send) => change({ ...identity, role, seen }, send)}
      reviewable
      saved={() => roleMessage('Role updated for', nameInText(row))}
      closeTo={onClose}
    >
      <RoleField level={owner.level} />
      <Warning of={(role) => warning({ ...identity, role })} />
    </SideForm>
  )
}

function Warning({ of }: { of: (role: RoleName) => string | undefined }) {
  const text = of(useWatch<{ role: RoleName }, 'role'>({ name: 'role' }))
  return <div role="status">{text && <Note kind="busy">{text}</Note>}</div>
}
