import { rangeProblem } from '@gantry/api/network/ip-pool.rules'
import { ipProblem } from '@gantry/api/base/ip.rules'
import type { RangeValues } from './range-text.ts'

/** Trims both addresses. */
export const rangeOf = ({ first, last }: RangeValues): RangeValues => ({
  first: first.trim(),
  last: last.trim(),
})

/** The problem with a single address. */
export const addressProblem = (text: string): string | undefined => ipProblem(text.trim())

/** The problem with two valid addresses as a range, shown at the last. */
export function rangeCheck(values: RangeValues): { last?: string } {
  const { first, last } = rangeOf(values)
  const problem = rangeProblem(first, last)
  return problem === undefined ? {} : { last: problem }
}
