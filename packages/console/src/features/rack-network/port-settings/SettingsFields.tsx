import { gigabitsOf } from '@gantry/api/rack-network/switch-port.rules'
import { useWatch } from 'react-hook-form'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { gigabits } from '../states.ts'
import { AddAddress, AddLink, AddRoute } from './AddParts.tsx'
import { AddPeer } from './AddPeer.tsx'
import { PartField } from './PartField.tsx'
import {
  type AddressValue,
  type LinkValue,
  type PeerValue,
  type RouteValue,
  type SettingsValues,
} from './values.ts'
import { geometryOptions, peerText } from './words.ts'

const linkColumns = [
  { header: 'Link', cell: ({ linkName }: LinkValue) => linkName },
  { header: 'Speed', cell: ({ speed }: LinkValue) => gigabits(gigabitsOf(speed)) },
  { header: 'MTU', cell: ({ mtu }: LinkValue) => mtu },
]
const addressColumns = [
  { header: 'Link', cell: ({ linkName }: AddressValue) => linkName },
  { header: 'Address', cell: ({ address }: AddressValue) => <Mono text={address} /> },
  { header: 'Lot', cell: ({ addressLot }: AddressValue) => addressLot },
]
const routeColumns = [
  { header: 'Link', cell: ({ linkName }: RouteValue) => linkName },
  { header: 'Destination', cell: ({ dst }: RouteValue) => <Mono text={dst} /> },
  { header: 'Gateway', cell: ({ gw }: RouteValue) => <Mono text={gw} /> },
]
const peerColumns = [
  { header: 'Link', cell: ({ linkName }: PeerValue) => linkName },
  { header: 'Peer', cell: ({ addr }: PeerValue) => <Mono text={peerText(addr)} /> },
]

const Mono = ({ text }: { text: string }) => <span className="font-mono text-[0.8125rem]">{text}</span>

/** All settings except the name. */
export function SettingsFields() {
  const [geometry, links] = useWatch<SettingsValues, ['geometry', 'links']>({ name: ['geometry', 'links'] })
  const names = links.map(({ linkName }) => linkName)
  const whyNot = names.length === 0 ? 'Add a link first' : undefined
  return (
    <>
      <RadioField name="geometry" label="Port" options={geometryOptions} />
      <PartField<LinkValue>
        name="links"
        label="Links"
        addLabel="Add link"
        columns={linkColumns}
        textOf={({ linkName }) => linkName}
        empty="No links"
        renderDialog={(add, close) => <AddLink geometry={geometry} onAdd={add} onClose={close} />}
      />
      <PartField<AddressValue>
        name="addresses"
        label="Addresses"
        addLabel="Add address"
        columns={addressColumns}
        textOf={({ linkName, address }) => `${linkName} ${address}`}
        empty="No addresses"
        whyNot={whyNot}
        renderDialog={(add, close) => <AddAddress links={names} onAdd={add} onClose={close} />}
      />
      <PartField<RouteValue>
        name="routes"
        label="Routes"
        addLabel="Add route"
        columns={routeColumns}
        textOf={({ linkName, dst, gw, vid }) => [linkName, dst, gw, vid].join(' ').trim()}
        empty="No routes"
        whyNot={whyNot}
        renderDialog={(add, close) => <AddRoute links={names} onAdd={add} onClose={close} />}
      />
      <PartField<PeerValue>
        name="peers"
        label="BGP peers"
        addLabel="Add BGP peer"
        columns={peerColumns}
        textOf={({ linkName, addr }) => `${linkName} ${peerText(addr)}`}
        empty="No BGP peers"
        whyNot={whyNot}
        renderDialog={(add, close) => <AddPeer links={names} onAdd={add} onClose={close} />}
      />
    </>
  )
}
