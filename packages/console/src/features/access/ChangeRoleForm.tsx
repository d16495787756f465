import type { RoleName } from '@gantry/api/roles.rules'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Note } from '#/ui/Note.tsx'
import { SideForm } from '#/features/common/forms/SideForm.tsx'
import type { Edit } from './assignments.ts'
import type { PolicyPlace } from './policy-place.ts'
import { RoleField } from './RoleField.tsx'
import { type AccessRow, nameInText } from './rows.ts'
import { roleMessage } from './role-message.tsx'
import { useDecidePolicy } from './use-decide-policy.ts'

interface Props {
  place: PolicyPlace
  row: AccessRow
  /** The current role here. */
  role: RoleName
  /** The access that the signed-in user would lose. */
  warning: (edit: Omit<Edit, 'seen'>) => string | undefined
  onClose: () => void
}

/** Replaces the role of a user or group. */
export function ChangeRoleForm({ place, row, role: current, warning, onClose }: Props) {
  const change = useDecidePolicy(place)
  const [seen] = useState(current)
  const identity = { identityId: row.id, identityType: row.type }
  return (
    <SideForm
      title={`Change ${place.level} role for ${nameInText(row)}`}
      submitLabel="Update role"
      pendingLabel="Updating role"
      initial={{ role: seen }}
      save={({ role }) => change({ ...identity, role, seen })}
      saved={() => roleMessage('Role updated for', nameInText(row))}
      closeTo={onClose}
    >
      <RoleField level={place.level} />
      <Warning of={(role) => warning({ ...identity, role })} />
    </SideForm>
  )
}

function Warning({ of }: { of: (role: RoleName) => string | undefined }) {
  const text = of(useWatch<{ role: RoleName }, 'role'>({ name: 'role' }))
  return <div role="status">{text && <Note kind="busy">{text}</Note>}</div>
}
