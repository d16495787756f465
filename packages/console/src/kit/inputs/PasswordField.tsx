import { Field } from '#/ui/inputs/Field.tsx'
import { PasswordInput } from '#/ui/inputs/PasswordInput.tsx'
import { useFormField } from '../forms/fields.tsx'

interface Props {
  name: string
  label: string
  hint?: string
  autoComplete: 'current-password' | 'new-password'
  problem?: (password: string) => string | undefined
}

/** A required password field of the form. */
export function PasswordField({ name, label, hint, autoComplete, problem }: Props) {
  const { ref, error, value, onChange } = useFormField<string>(name, (password) =>
    password === '' ? `${label} is required` : problem?.(password),
  )
  return (
    <Field label={label} hint={hint} error={error}>
      <PasswordInput ref={ref} name={name} value={value} onChange={onChange} autoComplete={autoComplete} />
    </Field>
  )
}
