import { rangeProblem } from '@gantry/api/ip-pool.rules'
import { ipProblem } from '@gantry/api/ip.rules'

export interface RangeValues {
  first: string
  last: string
}

/** Spaces around an address are no part of it. */
export const rangeOf = ({ first, last }: RangeValues): RangeValues => ({
  first: first.trim(),
  last: last.trim(),
})

/** What is wrong with an address by itself. */
export const addressProblem = (text: string): string | undefined => ipProblem(text.trim())

/** What is wrong with two good addresses as a range, shown at the last. */
export function rangeCheck(values: RangeValues): { last?: string } {
  const { first, last } = rangeOf(values)
  const problem = rangeProblem(first, last)
  return problem === undefined ? {} : { last: problem }
}

/** First and last with an en dash. */
export const rangeText = ({ first, last }: RangeValues): string => `${first}–${last}`
