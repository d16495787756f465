export interface RangeValues {
  first: string
  last: string
}

/** First and last with an en dash. */
export const rangeText = ({ first, last }: RangeValues): string => `${first}–${last}`
