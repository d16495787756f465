import type { Level } from '@gantry/api/base/permission.rules'
import type { RoleName } from '@gantry/api/base/roles.rules'
import { useWatch } from 'react-hook-form'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { roleMeaning, roleOptions } from './role-words.tsx'

const options = { fleet: roleOptions('fleet'), silo: roleOptions('silo'), project: roleOptions('project') }

/** The value `role` of the form, each option with its permissions. */
export function RoleField({ level }: { level: Level }) {
  const role = useWatch<{ role: RoleName | '' }, 'role'>({ name: 'role' })
  return (
    <ChoiceField
      name="role"
      label="Role"
      placeholder="Select an option"
      hint={role ? roleMeaning(level, role) : undefined}
      options={options[level]}
    />
  )
}
