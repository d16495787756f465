import { ipNetProblem, ipProblem } from '@gantry/api/ip.rules'
import { maxVlanId } from '@gantry/api/switch-port.rules'
import { NumberField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { TextField } from '#/features/common/forms/fields.tsx'
import { optionalProblem } from '../number-problem.ts'
import { LinkField } from './LinkField.tsx'
import type { RouteValue } from './values.ts'

interface Props {
  links: readonly string[]
  onAdd: (route: RouteValue) => Promise<RouteValue>
  onClose: () => void
}

export function AddRoute({ links, onAdd, onClose }: Props) {
  return (
    <DialogForm
      title="Add route"
      submitLabel="Add route"
      initial={{
        linkName: links.length === 1 ? (links[0] ?? '') : '',
        dst: '',
        gw: '',
        vid: null as number | null,
        ribPriority: null as number | null,
      }}
      save={({ vid, ribPriority, ...route }) =>
        onAdd({ ...route, ...(vid !== null && { vid }), ...(ribPriority !== null && { ribPriority }) })
      }
      onClose={onClose}
    >
      <LinkField links={links} />
      <TextField
        name="dst"
        label="Destination"
        hint="A network, such as 0.0.0.0/0 for every address"
        mono
        problem={ipNetProblem}
      />
      <TextField name="gw" label="Gateway" mono problem={ipProblem} />
      <NumberField name="vid" label="VLAN" hint="Empty for none" problem={optionalProblem(0, maxVlanId)} />
      <NumberField
        name="ribPriority"
        label="Priority"
        hint="Empty for the switch's own choice"
        problem={optionalProblem(0, 255)}
      />
    </DialogForm>
  )
}
