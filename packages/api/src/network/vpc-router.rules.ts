import { parseIp, parseIpNet } from '../base/ip.rules.ts'

interface End {
  type: string
  value?: string
}

/** Why a route's destination and target are incompatible, in the API's words and order (B 11.4). */
export function routeProblem(destination: End, target: End): string | undefined {
  const versions = [versionOf(destination), versionOf(target)].filter((version) => version !== undefined)
  if (new Set(versions).size > 1)
    return 'cannot mix explicit IPv4 and IPv6 addresses between destination and target'
  if (destination.type === 'vpc' || target.type === 'vpc')
    return 'users cannot specify VPCs as a destination or target in Custom routes'
  return target.type === 'subnet' ? 'subnets cannot be used as a target in Custom routers' : undefined
}

export const routerKinds = ['system', 'custom'] as const
export type RouterKind = (typeof routerKinds)[number]
export const routeKinds = ['default', 'vpc_subnet', 'vpc_peering', 'custom'] as const

/** The fields of a route that users may change, by kind (control plane reference, B 11.3). */
export const routeEdits = {
  default: 'target',
  vpc_subnet: 'nothing',
  vpc_peering: 'nothing',
  custom: 'everything',
} as const satisfies Record<(typeof routeKinds)[number], string>

/** Two routes of one router may have the same destination; the first by name applies. */
export const isTakenBefore = (one: { name: string }, other: { name: string }): boolean =>
  one.name < other.name

const versionOf = ({ type, value = '' }: End): 4 | 6 | undefined =>
  type === 'ip' ? parseIp(value)?.version : type === 'ip_net' ? parseIpNet(value)?.version : undefined
