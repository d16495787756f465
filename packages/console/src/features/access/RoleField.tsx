import type { RoleName } from '@gantry/api/roles.rules'
import { useWatch } from 'react-hook-form'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import type { PolicyPlace } from './policy-place.ts'
import { roleMeanings, roleOptions } from './role-words.ts'

const options = { fleet: roleOptions('fleet'), silo: roleOptions('silo'), project: roleOptions('project') }

/** The value `role` of the form, each option with its permissions. */
export function RoleField({ level }: { level: PolicyPlace['level'] }) {
  const role = useWatch<{ role: RoleName | '' }, 'role'>({ name: 'role' })
  return (
    <ChoiceField
      name="role"
      label="Role"
      placeholder="Select an option"
      hint={role ? roleMeanings[level][role] : undefined}
      options={options[level]}
    />
  )
}
