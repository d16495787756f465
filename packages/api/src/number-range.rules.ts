/** From first to last, both included. */
export interface NumberRange {
  first: number
  last: number
}

interface Bounds {
  digits: number
  min: number
  max: number
}

/**
 * `n` or `n-m`, in digits alone and within the bounds. Whether the range is the right way round is asked
 * separately, since the API says so in a sentence of its own.
 */
export function readRange(text: string, { digits, min, max }: Bounds): NumberRange | undefined {
  const [, start, end] = new RegExp(`^([0-9]{1,${digits}})(?:-([0-9]{1,${digits}}))?$`).exec(text) ?? []
  if (start === undefined) return undefined
  const range = { first: Number(start), last: Number(end ?? start) }
  const within = (number: number): boolean => number >= min && number <= max
  return within(range.first) && within(range.last) ? range : undefined
}

export const isReversed = ({ first, last }: NumberRange): boolean => first > last
export const reversedReason = 'range has larger start value than end value'
