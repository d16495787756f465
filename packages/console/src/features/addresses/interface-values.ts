import type { InputOf } from '@gantry/api/client/client'
import { formatIpNet, ipNetProblem, ipProblem, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import { transitIpsProblem } from '@gantry/api/network/network-interface.rules'

export interface InterfaceValues {
  name: string
  description: string
  /** A name, as the API takes it. */
  vpc: string
  subnet: string
  ipStack: IpStackType
  /** Of IPv4 and of IPv6; empty for any free address. */
  ip: string
  ipv6: string
}

export const emptyInterface: InterfaceValues = {
  name: '',
  description: '',
  vpc: '',
  subnet: '',
  ipStack: 'dual_stack',
  ip: '',
  ipv6: '',
}

/** The request body for the form's values. */
export function interfaceBody(values: InterfaceValues): InputOf<'instanceNetworkInterfaceCreate'>['body'] {
  const { name, description, vpc, subnet } = values
  return { name, description, vpcName: vpc, subnetName: subnet, ipConfig: configOf(values) }
}

type Config = InputOf<'instanceNetworkInterfaceCreate'>['body']['ipConfig']

/** Undefined where the server's default is the same. */
function configOf({ ipStack, ip, ipv6 }: InterfaceValues): Config {
  switch (ipStack) {
    case 'v4':
      return { type: 'v4', value: stackOf(ip) }
    case 'v6':
      return { type: 'v6', value: stackOf(ipv6) }
    case 'dual_stack':
      return ip.trim() || ipv6.trim()
        ? { type: 'dual_stack', value: { v4: stackOf(ip), v6: stackOf(ipv6) } }
        : undefined
    default:
      return ipStack satisfies never
  }
}

const stackOf = (text: string) => ({
  ip: text.trim() ? { type: 'explicit' as const, value: text.trim() } : { type: 'auto' as const },
})

/** A form's message for an address of one IP version. */
export function addressProblem(text: string, version: 4 | 6): string | undefined {
  if (text.trim() === '') return undefined
  return (
    ipProblem(text.trim()) ??
    (parseIp(text.trim())?.version === version ? undefined : `Not an IPv${version} address`)
  )
}

/** The canonical form of a network. Other text stays unchanged. */
export function canonical(text: string): string {
  const net = parseIpNet(text.trim())
  return net ? formatIpNet(net) : text.trim()
}

/** Why a network cannot be added to an interface's transit IPs. */
export function transitIpProblem(text: string, list: readonly string[]): string | undefined {
  const problem = ipNetProblem(text.trim())
  if (problem) return problem
  const net = canonical(text)
  if (list.includes(net)) return 'Transit IP already in list'
  const refusal = transitIpsProblem([...list, net])
  return refusal && refusal.charAt(0).toUpperCase() + refusal.slice(1)
}
