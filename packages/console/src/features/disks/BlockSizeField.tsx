import { type BlockSize, blockSizes } from '@gantry/api/storage/disk.rules'
import { useFormField } from '#/kit/forms/fields.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'

/** The form's `blockSize`, also of an image that disks are created from. */
export function BlockSizeField() {
  const { value, onChange } = useFormField<BlockSize>('blockSize')
  return (
    <Field group label="Block size (Bytes)">
      <RadioGroup
        options={blockSizes.map((size) => ({ value: String(size), label: String(size) }))}
        value={String(value)}
        onChange={(size) => onChange(Number(size) as BlockSize)}
      />
    </Field>
  )
}
