import { ipNetProblem, ipProblem } from '@gantry/api/base/ip.rules'
import {
  linkFecs,
  linksOfGeometry,
  maxVlanId,
  type PortGeometry,
} from '@gantry/api/rack-network/switch-port.rules'
import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { CheckboxField, ChoiceField, NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { numberProblem, optionalProblem } from '../fields.tsx'
import { allLots } from '../queries.ts'
import { type AddressValue, type LinkValue, type RouteValue, speedOptions } from './values.ts'

interface Props<Part> {
  links: readonly string[]
  onAdd: (part: Part) => Promise<Part>
  onClose: () => void
}

export function AddAddress({ links, onAdd, onClose }: Props<AddressValue>) {
  const lots = useQuery(allLots)
  return (
    <DialogForm
      title="Add address"
      submitLabel="Add address"
      initial={{
        linkName: firstLink(links),
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
        options={(lots.data ?? []).filter(({ kind }) => kind === 'infra').map(({ name }) => optionOf(name))}
        {...choicesOf(lots)}
      />
      <TextField
        name="address"
        hint="With its prefix length, such as 192.0.2.2/30"
        mono
        problem={ipNetProblem}
      />
      <VlanField name="vlanId" />
    </DialogForm>
  )
}

export function AddRoute({ links, onAdd, onClose }: Props<RouteValue>) {
  return (
    <DialogForm
      title="Add route"
      submitLabel="Add route"
      initial={{
        linkName: firstLink(links),
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
        hint="A network, such as 0.0.0.0/0 for all addresses"
        mono
        problem={ipNetProblem}
      />
      <TextField name="gw" label="Gateway" mono problem={ipProblem} />
      <VlanField name="vid" />
      <NumberField
        name="ribPriority"
        label="Priority"
        hint="Leave blank to let the switch choose"
        problem={optionalProblem(0, 255)}
      />
    </DialogForm>
  )
}

interface AddLinkProps {
  geometry: PortGeometry
  onAdd: (link: LinkValue) => Promise<LinkValue>
  onClose: () => void
}

const fecOptions = [
  { value: '', label: 'Default of the cable' },
  ...linkFecs.map((value) => ({ value, label: value })),
]

export function AddLink({ geometry, onAdd, onClose }: AddLinkProps) {
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
      <CheckboxField name="lldp">Announce the link to neighbors by LLDP</CheckboxField>
    </DialogForm>
  )
}

const optionOf = (value: string) => ({ value, label: value })

/** The link that a part belongs to. */
export const LinkField = ({ links }: { links: readonly string[] }) => (
  <ChoiceField name="linkName" label="Link" placeholder="Select a link" options={links.map(optionOf)} />
)

/** The initially selected link: the only one, or none. */
export const firstLink = (links: readonly string[]): string => (links.length === 1 ? (links[0] ?? '') : '')

const VlanField = ({ name }: { name: string }) => (
  <NumberField name={name} label="VLAN" hint="Empty for none" problem={optionalProblem(0, maxVlanId)} />
)
