import type { InputOf } from '@gantry/api/client/client'
import { gigabitsOf, type LinkSpeed, linkSpeeds } from '@gantry/api/rack-network/switch-port.rules'
import type { PortSettings } from './queries.ts'

type Body = InputOf<'networkingSwitchPortSettingsCreate'>['body']
type OnLink<Item> = Item & { linkName: string }
type ItemsOf<List, Key extends string> = List extends readonly (infer Each)[]
  ? Each extends Record<Key, readonly (infer Item)[]>
    ? Item
    : never
  : never

export type LinkValue = Body['links'][number]
export type AddressValue = OnLink<ItemsOf<Body['addresses'], 'addresses'>>
export type RouteValue = OnLink<ItemsOf<NonNullable<Body['routes']>, 'routes'>>
export type PeerValue = OnLink<Omit<ItemsOf<NonNullable<Body['bgpPeers']>, 'peers'>, 'interfaceName'>>

/** The settings as form values: all parts of a kind in one list, each with its link. */
export interface SettingsValues {
  name: string
  description: string
  geometry: Body['portConfig']['geometry']
  links: LinkValue[]
  addresses: AddressValue[]
  routes: RouteValue[]
  peers: PeerValue[]
  /** Not in the form, but sent unchanged. */
  interfaces: NonNullable<Body['interfaces']>
}

export const emptySettings: SettingsValues = {
  name: '',
  description: '',
  geometry: 'qsfp28x1',
  links: [],
  addresses: [],
  routes: [],
  peers: [],
  interfaces: [],
}

/** The request body for the form's values. */
export const bodyFrom = ({ geometry, addresses, routes, peers, ...values }: SettingsValues): Body => ({
  name: values.name,
  description: values.description,
  portConfig: { geometry },
  links: values.links,
  interfaces: values.interfaces,
  addresses: byLink(addresses, (linkName, items) => ({ linkName, addresses: items })),
  routes: byLink(routes, (linkName, items) => ({ linkName, routes: items })),
  bgpPeers: byLink(peers, (linkName, items) => ({
    linkName,
    peers: items,
  })),
})

function byLink<Item extends { linkName: string }, Group>(
  all: readonly Item[],
  groupOf: (linkName: string, items: Omit<Item, 'linkName'>[]) => Group,
): Group[] {
  const names = [...new Set(all.map(({ linkName }) => linkName))]
  return names.map((name) =>
    groupOf(
      name,
      all.filter((item) => item.linkName === name).map(({ linkName: _linkName, ...item }) => item),
    ),
  )
}

/** The form's values for existing settings. Peer keys are never returned; without a new one, the stored key stays. */
export function valuesOf(settings: PortSettings): SettingsValues {
  const { name, description, port, links, interfaces, addresses, routes, bgpPeers } = settings
  return {
    name,
    description,
    geometry: port.geometry,
    links: links.map(({ linkName, mtu, fec, speed, autoneg, lldpLinkConfig, txEqConfig }) => ({
      linkName,
      mtu,
      speed,
      autoneg,
      ...(fec && { fec }),
      ...(txEqConfig && { txEq: txEqConfig }),
      lldp: lldpOf(lldpLinkConfig),
    })),
    interfaces: interfaces.map(({ interfaceName, v6Enabled, kind }) => ({
      linkName: interfaceName,
      v6Enabled,
      kind,
    })),
    addresses: addresses.map(({ interfaceName, address, addressLotName, vlanId }) => ({
      linkName: interfaceName,
      address,
      addressLot: addressLotName,
      ...(typeof vlanId === 'number' && { vlanId }),
    })),
    routes: routes.map(({ interfaceName, dst, gw, vlanId, ribPriority }) => ({
      linkName: interfaceName,
      dst,
      gw,
      ...(typeof vlanId === 'number' && { vid: vlanId }),
      ...(typeof ribPriority === 'number' && { ribPriority }),
    })),
    peers: bgpPeers.map(({ interfaceName, md5AuthKey: _key, hasMd5AuthKey: _hasKey, ...peer }) => ({
      ...peer,
      linkName: interfaceName ?? '',
    })),
  }
}

function lldpOf(config: PortSettings['links'][number]['lldpLinkConfig']): LinkValue['lldp'] {
  if (!config) return { enabled: false }
  const { id: _, ...lldp } = config
  return lldp
}

/** The speeds that the hardware supports, as options. */
export const speedOptions = linkSpeeds
  .filter((speed) => gigabitsOf(speed) > 0)
  .map((value: LinkSpeed) => ({ value, label: `${gigabitsOf(value)} Gbit/s` }))
