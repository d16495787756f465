import { useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextArea } from '#/ui/TextInput.tsx'
import { blocksProblem } from './blocks.ts'

export function BlocksField() {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('blocks', blocksProblem)
  return (
    <Field label="Blocks" hint="One per line, such as 192.0.2.1-192.0.2.62" error={error}>
      <TextArea
        ref={ref}
        name="blocks"
        mono
        rows={5}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  )
}
