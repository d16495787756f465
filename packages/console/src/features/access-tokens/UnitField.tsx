import { useFormField } from '#/kit/forms/fields.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { type LifetimeUnit, lifetimeUnits } from './lifetime.ts'

/** The unit of a lifetime. */
export function UnitField() {
  const { ref, error, ...field } = useFormField<LifetimeUnit>('unit')
  return (
    <Field label="Unit" error={error}>
      <Select ref={ref} options={units} value={field.value} onChange={field.onChange} onBlur={field.onBlur} />
    </Field>
  )
}

const units = lifetimeUnits.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))
