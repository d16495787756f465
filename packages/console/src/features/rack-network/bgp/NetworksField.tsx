import { useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextArea } from '#/ui/TextInput.tsx'
import { type LotBlock, networksProblem } from './networks.ts'

/** The networks of a set, each of which must be within a block. */
export function NetworksField({ blocks }: { blocks: readonly LotBlock[] }) {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('networks', (text) =>
    networksProblem(text, blocks),
  )
  return (
    <Field
      label="Networks"
      hint="One per line, such as 192.0.2.0/24, each within a block of an address lot"
      error={error}
      optional
    >
      <TextArea
        ref={ref}
        name="networks"
        mono
        rows={5}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  )
}
