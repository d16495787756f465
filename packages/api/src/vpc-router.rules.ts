import { parseIp, parseIpNet } from './ip.rules.ts'

interface End {
  type: string
  value?: string
}

/** Why a route's destination and target do not go together, in the words and the order of the API (B 11.4). */
export function routeProblem(destination: End, target: End): string | undefined {
  const versions = [versionOf(destination), versionOf(target)].filter((version) => version !== undefined)
  if (new Set(versions).size > 1)
    return 'cannot mix explicit IPv4 and IPv6 addresses between destination and target'
  if (destination.type === 'vpc' || target.type === 'vpc')
    return 'users cannot specify VPCs as a destination or target in Custom routes'
  return target.type === 'subnet' ? 'subnets cannot be used as a target in Custom routers' : undefined
}

const versionOf = ({ type, value = '' }: End): 4 | 6 | undefined =>
  type === 'ip' ? parseIp(value)?.version : type === 'ip_net' ? parseIpNet(value)?.version : undefined
