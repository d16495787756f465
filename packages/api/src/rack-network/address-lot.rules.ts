import { rangeBounds } from '../network/ip-pool.rules.ts'
import { parseIp } from '../base/ip.rules.ts'

/** `infra` for the addresses of switches, `pool` for those of IP pools. */
export const addressLotKinds = ['infra', 'pool'] as const
export type AddressLotKind = (typeof addressLotKinds)[number]

export const switchLocations = ['switch0', 'switch1'] as const
export type SwitchLocation = (typeof switchLocations)[number]

export const isSwitchLocation = (given: string): given is SwitchLocation =>
  (switchLocations as readonly string[]).includes(given)

/** Maximum number of blocks in an address lot. */
export const maxLotBlocks = 1000

/** The problem with the bounds of a block, in the API's words. */
export function blockProblem(first: string, last: string): string | undefined {
  if (rangeBounds(first, last)) return undefined
  return parseIp(first)?.version === parseIp(last)?.version
    ? 'Invalid range, first must be <= last'
    : 'Block bounds must be in same address family'
}
