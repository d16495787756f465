import { ipNetProblem } from '@gantry/api/ip.rules'
import { maxVlanId } from '@gantry/api/switch-port.rules'
import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#/features/common/choices-of.ts'
import { ChoiceField, NumberField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { TextField } from '#/features/common/forms/fields.tsx'
import { allLots } from '../all-lots.ts'
import { optionalProblem } from '../number-problem.ts'
import { LinkField } from './LinkField.tsx'
import type { AddressValue } from './values.ts'

interface Props {
  links: readonly string[]
  onAdd: (address: AddressValue) => Promise<AddressValue>
  onClose: () => void
}

export function AddAddress({ links, onAdd, onClose }: Props) {
  const lots = useQuery(allLots)
  return (
    <DialogForm
      title="Add address"
      submitLabel="Add address"
      initial={{
        linkName: links.length === 1 ? (links[0] ?? '') : '',
        addressLot: '',
        address: '',
        vlanId: null as number | null,
      }}
      save={({ vlanId, ...address }) => onAdd({ ...address, ...(vlanId !== null && { vlanId }) })}
      onClose={onClose}
    >
      <LinkField links={links} />
      <ChoiceField
        name="addressLot"
        label="Address lot"
        placeholder="Select an address lot"
        options={(lots.data ?? [])
          .filter(({ kind }) => kind === 'infra')
          .map(({ name }) => ({ value: name, label: name }))}
        {...choicesOf(lots)}
      />
      <TextField name="address" hint="With its width, such as 192.0.2.2/30" mono problem={ipNetProblem} />
      <NumberField name="vlanId" label="VLAN" hint="Empty for none" problem={optionalProblem(0, maxVlanId)} />
    </DialogForm>
  )
}
