import { Field } from '#/ui/inputs/Field.tsx'
import { TextArea, TextInput } from '#/ui/inputs/TextInput.tsx'

/** A text of an object that cannot be changed, where its form would have a field. */
export function ReadOnlyText({ label, value, isLong }: { label: string; value: string; isLong?: true }) {
  const Input = isLong ? TextArea : TextInput
  return (
    <Field label={label}>
      <Input value={value} disabled />
    </Field>
  )
}
