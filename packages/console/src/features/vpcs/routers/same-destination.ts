import { formatIp, type IpNet, parseIpNet } from '@gantry/api/ip.rules'
import { isTakenBefore } from '@gantry/api/vpc-router.rules'
import type { Route } from '../queries.ts'

type Destination = Route['destination']
type Named = Pick<Route, 'id' | 'name' | 'destination'>

/** The route in effect for the same destination, if it is another one: the first by name. */
export function sameDestination(
  wanted: Destination,
  routes: readonly Named[],
  ownId: string | undefined,
): Named | undefined {
  const key = keyOf(wanted)
  return key === undefined
    ? undefined
    : routes
        .filter(({ id, destination }) => id !== ownId && keyOf(destination) === key)
        .reduce<Named | undefined>(
          (first, route) => (first && isTakenBefore(first, route) ? first : route),
          undefined,
        )
}

/** A canonical key for a destination: an address equals its single-address network. */
function keyOf({ type, value }: Destination): string | undefined {
  const text = value.trim()
  if (text === '') return undefined
  if (type !== 'ip' && type !== 'ip_net') return `${type} ${text}`
  const net = parseIpNet(type === 'ip' ? `${text}/${text.includes(':') ? 128 : 32}` : text)
  return net && netKey(net)
}

const netKey = ({ version, first, width }: IpNet): string => `${formatIp({ version, value: first })}/${width}`
