import { ipNetProblem, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import { useQuery } from '@tanstack/react-query'
import { TextField } from '#/kit/forms/fields.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { allLots, blocksOfLots } from '../queries.ts'
import { networksOf } from '../states.ts'

/** The blocks of all lots, and what keeps a form from using them. */
export function useLotBlocks() {
  const lots = useQuery(allLots)
  const blocks = useQuery(blocksOfLots(lots.data))
  const failure = lots.error ?? blocks.error
  return {
    blocks: blocks.data,
    failure,
    retry: () => void (lots.error ? lots : blocks).refetch(),
    whyNotYet: () => {
      if (blocks.data) return undefined
      return failure ? 'The address lots could not be read' : 'The address lots are still loading'
    },
  }
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
export const NetworksField = ({ lots }: { lots: ReturnType<typeof useLotBlocks> }) => (
  <>
    {lots.failure && (
      <SectionError title="Could not read the address lots" failure={lots.failure} onRetry={lots.retry} />
    )}
    <TextField
      name="networks"
      hint="One per line, such as 192.0.2.0/24, each within a block of an address lot"
      optional
      mono
      multiline
      problem={(text) => networksProblem(text, lots.blocks)}
    />
  </>
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

/** The problem with the networks of a text, as far as the blocks are known. An empty set is valid. */
export function networksProblem(text: string, blocks: readonly LotBlock[] | undefined): string | undefined {
  for (const network of networksOf(text)) {
    const problem = ipNetProblem(network)
    if (problem) return `${network}: ${problem}`
    if (blocks && !blockOf(network, blocks)) return `${network} is not in any block of an address lot`
  }
  return undefined
}
