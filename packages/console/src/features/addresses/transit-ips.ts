import { formatIpNet, ipNetProblem, parseIpNet } from '@gantry/api/ip.rules'
import { transitIpsProblem } from '@gantry/api/network-interface.rules'

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
