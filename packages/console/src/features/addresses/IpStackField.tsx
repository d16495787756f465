import { ipStackTypes, ipStackWords, type IpStackType } from '@gantry/api/network/ip-stack.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { useFormField } from '#/kit/forms/fields.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'

const options = (['dual_stack', 'v4', 'v6'] as const satisfies (typeof ipStackTypes)[number][]).map(
  (value) => ({
    value,
    label: ipStackWords[value],
  }),
)

/** The IP versions of a new interface; nothing where the fleet carries one alone. */
export function IpStackField() {
  const { value, onChange } = useFormField<IpStackType>('ipStack')
  if (useWhyLacking('ipv6')) return null
  return (
    <Field group label="IP versions">
      <RadioGroup options={options} value={value} onChange={onChange} />
    </Field>
  )
}
