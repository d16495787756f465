import { Accordion } from '../../../ui/Accordion.tsx'
import { Field } from '../../../ui/Field.tsx'
import { FileField } from '../../../ui/FileField.tsx'
import { useFormField } from '../../common/forms/fields.tsx'
import { userDataProblem } from './problems.ts'
import { useOpenOnError } from './use-open-on-error.ts'

export function ConfigurationSection() {
  const ref = useOpenOnError(['userData'])
  return (
    <div ref={ref}>
      <Accordion title="Configuration">
        <UserDataField />
      </Accordion>
    </div>
  )
}

function UserDataField() {
  const { ref, error, value, onChange, onBlur } = useFormField<File | undefined>('userData', userDataProblem)
  return (
    <Field
      label="User Data"
      hint="Passed to cloud-init as user data where the image supports it. At most 32 KiB."
      error={error}
      optional
    >
      <FileField ref={ref} name="userData" value={value} onChange={onChange} onBlur={onBlur} />
    </Field>
  )
}
