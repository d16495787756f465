import { ipNetProblem, parseIp, parseIpNet } from '@gantry/api/ip.rules'
import { networksOf } from '../states.ts'

export interface LotBlock {
  id: string
  firstAddress: string
  lastAddress: string
}

/** The block that has every address of a network. */
export function blockOf(network: string, blocks: readonly LotBlock[]): LotBlock | undefined {
  const net = parseIpNet(network)
  if (!net) return undefined
  return blocks.find(({ firstAddress, lastAddress }) => {
    const [first, last] = [parseIp(firstAddress), parseIp(lastAddress)]
    if (!first || !last || first.version !== net.version) return false
    return first.value <= net.first && net.last <= last.value
  })
}

/** What is wrong with the networks of a text; the empty set is allowed. */
export function networksProblem(text: string, blocks: readonly LotBlock[]): string | undefined {
  for (const network of networksOf(text)) {
    const problem = ipNetProblem(network)
    if (problem) return `${network}: ${problem}`
    if (!blockOf(network, blocks)) return `${network} is in no block of an address lot`
  }
  return undefined
}
