import { useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextArea } from '#/ui/TextInput.tsx'
import { type LotBlock, networksProblem } from './networks.ts'

/** The networks of a set; without `blocks`, the address lots are still loading. */
export function NetworksField({ blocks }: { blocks: readonly LotBlock[] | undefined }) {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('networks', (text) =>
    blocks ? networksProblem(text, blocks) : 'The address lots are still loading. Try again.',
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
