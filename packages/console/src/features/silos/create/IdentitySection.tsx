import { groupNameProblem, type IdentityMode } from '@gantry/api/silo.rules'
import { capitalise } from '@gantry/api/errors.rules'
import { useFormContext } from 'react-hook-form'
import { CheckboxField } from '#/features/common/forms/choice-fields.tsx'
import { TextField, useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { RadioGroup } from '#/ui/Radio.tsx'
import { identityModeOptions } from '../words.ts'
import type { SiloValues } from './values.ts'

/** Where the users of a silo come from, and which of its roles map to fleet roles. */
export function IdentitySection() {
  const form = useFormContext<SiloValues>()
  const { value: mode, onChange } = useFormField<IdentityMode>('identityMode')
  return (
    <>
      <Field group label="Identity mode">
        <RadioGroup
          column
          options={identityModeOptions}
          value={mode}
          onChange={(selected) => {
            onChange(selected)
            form.setValue('adminGroupName', '', { shouldDirty: true })
          }}
        />
      </Field>
      {mode === 'saml_jit' && (
        <TextField
          name="adminGroupName"
          label="Admin group name"
          hint="Members of this group of the identity provider administer the silo."
          optional
          problem={(name) => {
            const problem = groupNameProblem(name.trim())
            return problem && capitalise(problem)
          }}
        />
      )}
      <Field group label="Role mapping" hint="Silo roles that also grant a role on the fleet.">
        <div>
          <CheckboxField name="adminMapped">Grant fleet admin role to silo admins</CheckboxField>
          <CheckboxField name="viewerMapped">Grant fleet viewer role to silo viewers</CheckboxField>
        </div>
      </Field>
    </>
  )
}
