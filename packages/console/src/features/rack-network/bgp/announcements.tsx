import { ipNetProblem, parseIp, parseIpNet } from '@gantry/api/ip.rules'
import { useQuery } from '@tanstack/react-query'
import { TextField } from '#/features/common/forms/fields.tsx'
import { allLots, blocksOfLots } from '../queries.ts'
import { networksOf } from '../states.ts'

/** The blocks of all lots; undefined while they load. */
export function useLotBlocks(): readonly LotBlock[] | undefined {
  const { data: lots } = useQuery(allLots)
  return useQuery(blocksOfLots(lots)).data
}

interface Announcement {
  addressLotBlock: string
  network: string
}

/** Networks that are already in the set keep their block. */
export const announcementsFor = (
  text: string,
  blocks: readonly LotBlock[],
  before: readonly { addressLotBlockId: string; network: string }[] = [],
): Announcement[] =>
  networksOf(text).map((network) => ({
    network,
    addressLotBlock:
      before.find((each) => each.network === network)?.addressLotBlockId ??
      blockOf(network, blocks)?.id ??
      '',
  }))

/** The networks of a set, each of which must be within a block. */
export const NetworksField = ({ blocks }: { blocks: readonly LotBlock[] }) => (
  <TextField
    name="networks"
    hint="One per line, such as 192.0.2.0/24, each within a block of an address lot"
    optional
    mono
    multiline
    problem={(text) => networksProblem(text, blocks)}
  />
)

interface LotBlock {
  id: string
  firstAddress: string
  lastAddress: string
}

/** The block that contains every address of a network. */
export function blockOf(network: string, blocks: readonly LotBlock[]): LotBlock | undefined {
  const net = parseIpNet(network)
  if (!net) return undefined
  return blocks.find(({ firstAddress, lastAddress }) => {
    const [first, last] = [parseIp(firstAddress), parseIp(lastAddress)]
    if (!first || !last || first.version !== net.version) return false
    return first.value <= net.first && net.last <= last.value
  })
}

/** The problem with the networks of a text. An empty set is valid. */
export function networksProblem(text: string, blocks: readonly LotBlock[]): string | undefined {
  for (const network of networksOf(text)) {
    const problem = ipNetProblem(network)
    if (problem) return `${network}: ${problem}`
    if (!blockOf(network, blocks)) return `${network} is not in any block of an address lot`
  }
  return undefined
}
