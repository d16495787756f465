import type { InputOf } from '@gantry/api/client/client'
import { capitalise } from '@gantry/api/base/errors.rules'
import { formatIp, type IpNet, parseIpNet } from '@gantry/api/base/ip.rules'
import { routeEdits, routeProblem, isTakenBefore } from '@gantry/api/network/vpc-router.rules'
import type { Route } from '../queries.ts'
import { endWords } from './words.ts'

type Destination = Route['destination']
type Target = Route['target']

export interface RouteValues {
  name: string
  description: string
  destinationType: Destination['type']
  destination: string
  targetType: Target['type']
  /** Unused if packets are dropped. */
  target: string
}

export const emptyRoute: RouteValues = {
  name: '',
  description: '',
  destinationType: 'ip',
  destination: '',
  targetType: 'ip',
  target: '',
}

interface Choice<Type extends string> {
  value: Type
  label: string
}

/** The types that users can select; system routes have others too. */
const destinationTypes: readonly Choice<Destination['type']>[] = [
  { value: 'ip', label: 'IP' },
  { value: 'ip_net', label: 'IP network' },
  { value: 'subnet', label: 'Subnet' },
]
const targetTypes: readonly Choice<Target['type']>[] = [
  { value: 'ip', label: 'IP' },
  { value: 'instance', label: 'Instance' },
  { value: 'internet_gateway', label: 'Internet gateway' },
  { value: 'drop', label: 'Drop' },
]

export const destinationChoices = (current: Destination['type']) => withCurrent(destinationTypes, current)
export const targetChoices = (current: Target['type']) => withCurrent(targetTypes, current)

const withCurrent = <Type extends Destination['type'] | Target['type']>(
  choices: readonly Choice<Type>[],
  current: Type,
): readonly Choice<Type>[] =>
  choices.some(({ value }) => value === current)
    ? choices
    : [...choices, { value: current, label: endWords[current] }]

export function valuesOf({ name, description, destination, target }: Route): RouteValues {
  return {
    name,
    description,
    destinationType: destination.type,
    destination: destination.value,
    targetType: target.type,
    target: target.type === 'drop' ? '' : target.value,
  }
}

const destinationOf = ({ destinationType, destination }: RouteValues): Destination => ({
  type: destinationType,
  value: destination.trim(),
})

const targetOf = ({ targetType, target }: RouteValues): Target =>
  targetType === 'drop' ? { type: 'drop' } : { type: targetType, value: target.trim() }

/** The problem with the combination of both ends, shown at the second. */
export function endsProblem(values: RouteValues): { target?: string } {
  const problem = routeProblem(destinationOf(values), targetOf(values))
  return problem ? { target: capitalise(problem) } : {}
}

export function routeBody(values: RouteValues): InputOf<'vpcRouterRouteCreate'>['body'] {
  const { name, description } = values
  return { name, description, destination: destinationOf(values), target: targetOf(values) }
}

/** For a default route, only the target changes; the destination is sent back unchanged. */
export const changedRoute = (route: Route, values: RouteValues): InputOf<'vpcRouterRouteUpdate'>['body'] =>
  routeEdits[route.kind] === 'target'
    ? { destination: route.destination, target: targetOf(values) }
    : routeBody(values)

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
