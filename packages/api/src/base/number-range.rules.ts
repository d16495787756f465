/** From first to last, inclusive. */
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
 * Parses `n` or `n-m`, digits only and within the bounds. The order of the bounds is checked separately,
 * because the API has its own message for it.
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
