import type { IpStackCreate, NetworkInterface } from '@gantry/api/network/network-interface'
import { automaticStack, byVersion, type IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { lacks, needCapability } from '@gantry/control-plane/fleet/capabilities'
import type { Fleet } from '@gantry/control-plane/fleet/fleet'

type Wanted = Extract<IpStackCreate, { type: 'dual_stack' }>['value']

/** What an interface shall have of each IP version. */
export type WantedStacks = Partial<Wanted> & { transit_ips: string[] }

/** Which IP versions an interface has if its request names none: those that the fleet carries. */
export const usualStack = (fleet: Fleet): IpStackType => (lacks(fleet, 'ipv6') ? 'v4' : 'dual_stack')

/** Refuses IP versions that the fleet does not carry. */
export function stacksWanted(fleet: Fleet, config: IpStackCreate | undefined): WantedStacks {
  const wanted = config ?? automaticStack(usualStack(fleet))
  const { type, value } = wanted
  if (type !== 'v4') needCapability(fleet, 'ipv6')
  const stacks = type === 'dual_stack' ? value : { [type]: value }
  return { ...stacks, transit_ips: networksIn(wanted) }
}

/** The default interface of a request, and the IP versions that it has. */
export const stackOfDefault = {
  default_ipv4: 'v4',
  default_ipv6: 'v6',
  default_dual_stack: 'dual_stack',
} as const
export const defaultOfStack = {
  v4: 'default_ipv4',
  v6: 'default_ipv6',
  dual_stack: 'default_dual_stack',
} as const satisfies Record<IpStackType, keyof typeof stackOfDefault>

/** The transit networks of a request, of both IP versions. */
export const networksIn = ({ type, value }: IpStackCreate): string[] =>
  type === 'dual_stack' ? [...value.v4.transit_ips, ...value.v6.transit_ips] : value.transit_ips

type Addresses = Pick<Row<'network_interface'>, 'ip' | 'ipv6'>

/** The addresses of an interface, that of IPv4 first. */
export const addressesOf = ({ ip, ipv6 }: Addresses): string[] => [ip, ipv6].filter((one) => one !== null)

export const stackTypeOf = ({ ip, ipv6 }: Addresses): IpStackType =>
  ipv6 === null ? 'v4' : ip === null ? 'v6' : 'dual_stack'

/** The stacks of an interface as clients read them. */
export function stackView(
  row: Addresses & Pick<Row<'network_interface'>, 'transit_ips'>,
): NetworkInterface['ip_stack'] {
  const { ip, ipv6, transit_ips } = row
  if (ip !== null && ipv6 !== null) {
    const { v4, v6 } = byVersion(transit_ips)
    return {
      type: 'dual_stack',
      value: { v4: { ip, transit_ips: v4 }, v6: { ip: ipv6, transit_ips: v6 } },
    }
  }
  if (ipv6 !== null) return { type: 'v6', value: { ip: ipv6, transit_ips } }
  if (ip !== null) return { type: 'v4', value: { ip, transit_ips } }
  throw new Error('a network interface without an address')
}
