import { randomInt } from 'node:crypto'

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** 63 bits in five groups that are easy to read out and type: `kuba-mofi-tedu-zori-pesa`. */
export function readablePassword(): string {
  const pick = (letters: string): string => letters.charAt(randomInt(letters.length))
  const group = (): string => pick(consonants) + pick(vowels) + pick(consonants) + pick(vowels)
  return Array.from({ length: 5 }, group).join('-')
}
