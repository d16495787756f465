import { useQuery } from '@tanstack/react-query'
import { allLots, blocksOfLots } from '../all-lots.ts'
import { networksOf } from '../states.ts'
import { blockOf, type LotBlock } from './networks.ts'

/** The blocks of all lots; undefined while they load. */
export function useLotBlocks(): readonly LotBlock[] | undefined {
  const { data: lots } = useQuery(allLots)
  return useQuery(blocksOfLots(lots)).data
}

interface Announcement {
  addressLotBlock: string
  network: string
}

/** Networks that a set has already keep their block. */
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
