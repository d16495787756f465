/** For how long a token that is replaced may still be used: programs need time to learn the new one. */
export const overlaps = [0, 3600, 24 * 3600, 7 * 24 * 3600] as const
export const overlapSecondsMax = 7 * 24 * 3600

export const overlapWords: Readonly<Record<(typeof overlaps)[number], string>> = {
  0: 'At once',
  3600: 'In an hour',
  [24 * 3600]: 'In a day',
  [7 * 24 * 3600]: 'In a week',
}
