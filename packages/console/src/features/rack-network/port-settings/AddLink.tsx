import { linkFecs, linksOfGeometry, type PortGeometry } from '@gantry/api/switch-port.rules'
import { CheckboxField, ChoiceField, NumberField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { numberProblem } from '../number-problem.ts'
import type { LinkValue } from './values.ts'
import { speedOptions } from './values.ts'

interface Props {
  geometry: PortGeometry
  onAdd: (link: LinkValue) => Promise<LinkValue>
  onClose: () => void
}

const fecOptions = [
  { value: '', label: 'As the cable needs' },
  ...linkFecs.map((value) => ({ value, label: value })),
]

export function AddLink({ geometry, onAdd, onClose }: Props) {
  const names = Array.from({ length: linksOfGeometry[geometry] }, (_, index) => `phy${index}`)
  return (
    <DialogForm
      title="Add link"
      submitLabel="Add link"
      initial={{
        linkName: names.length === 1 ? 'phy0' : '',
        speed: 'speed100_g',
        fec: '',
        mtu: 9000,
        autoneg: false,
        lldp: true,
      }}
      save={({ linkName, speed, fec, mtu, autoneg, lldp }) =>
        onAdd({
          linkName,
          mtu: mtu ?? 0,
          autoneg,
          lldp: { enabled: lldp },
          speed: speed as LinkValue['speed'],
          ...(fec && { fec: fec as NonNullable<LinkValue['fec']> }),
        })
      }
      onClose={onClose}
    >
      <ChoiceField name="linkName" label="Link" options={names.map(optionOf)} />
      <ChoiceField name="speed" label="Speed" options={speedOptions} />
      <ChoiceField name="fec" label="Error correction" options={fecOptions} optional />
      <NumberField name="mtu" label="MTU" unit="bytes" problem={numberProblem('MTU', 0, 65_535)} />
      <CheckboxField name="autoneg">Negotiate speed automatically</CheckboxField>
      <CheckboxField name="lldp">Announce the link to neighbours by LLDP</CheckboxField>
    </DialogForm>
  )
}

const optionOf = (value: string) => ({ value, label: value })
