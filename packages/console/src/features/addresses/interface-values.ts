import type { InputOf } from '@gantry/api/client/client'
import { formatIpNet, ipNetProblem, parseIpNet } from '@gantry/api/base/ip.rules'
import { transitIpsProblem } from '@gantry/api/network/network-interface.rules'

export interface InterfaceValues {
  name: string
  description: string
  /** A name, as the API takes it. */
  vpc: string
  subnet: string
  /** Empty for any free address. */
  ip: string
}

export const emptyInterface: InterfaceValues = { name: '', description: '', vpc: '', subnet: '', ip: '' }

/** The request body for the form's values. */
export function interfaceBody(values: InterfaceValues): InputOf<'instanceNetworkInterfaceCreate'>['body'] {
  const { name, description, vpc, subnet, ip } = values
  return {
    name,
    description,
    vpcName: vpc,
    subnetName: subnet,
    ...(ip.trim() && {
      ipConfig: { type: 'v4', value: { ip: { type: 'explicit', value: ip.trim() } } },
    }),
  }
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
