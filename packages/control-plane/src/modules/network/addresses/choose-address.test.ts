import { expect, test } from 'vitest'
import { allVpcMacs, chooseNext, searched, usableAddresses } from './choose-address.ts'
import { addressProblem } from '../records/interfaces.ts'
import { formatIpv4, formatMac, parseIpv4Block } from './ip.ts'

const range = { first: 5, last: 14 }

/** The rule in the reference's words, number by number. */
function byTheBook(used: readonly number[]): number | undefined {
  const free = (number: number) => number >= range.first && number <= range.last && !used.includes(number)
  if (used.length === 0) return range.first
  const sorted = used.toSorted((one, other) => one - other)
  return sorted.map((number) => number - 1).find(free) ?? sorted.map((number) => number + 1).find(free)
}

/** The database's summary of the numbers in use from the search start. */
function summary(used: readonly number[], first: number) {
  const seen = used.filter((number) => number >= first).toSorted((one, other) => one - other)
  const above = seen.find((number) => number > first && !used.includes(number - 1))
  const below = seen.findLast((number) => above !== undefined && number < above)
  const gap = above === undefined ? null : { first: below === undefined ? first : below + 1, last: above - 1 }
  return { gap, highest: seen.at(-1) ?? null }
}

const isFull = (used: readonly number[], until: number): boolean => {
  for (let number = range.first; number < until; number++) if (!used.includes(number)) return false
  return true
}

test('a search follows the rule, from any valid start, for every set of ten', () => {
  for (let set = 0; set < 1024; set++) {
    const used = Array.from({ length: 10 }, (_, bit) => bit + range.first).filter(
      (_, bit) => set & (1 << bit),
    )
    for (let from = range.first; from <= range.last + 1; from++) {
      if (!isFull(used, from)) continue
      const part = searched(range, from)
      const choice = chooseNext(summary(used, from), part)
      expect(choice?.number, `${used.join(' ')} from ${from}`).toBe(byTheBook(used))
      expect(choice === undefined || isFull([...used, choice.number], choice.freeFrom)).toBe(true)
    }
  }
})

test.each([
  [[], 5],
  [[5], 6],
  [[5, 6, 8], 7],
  [[10], 9],
  [[5, 6, 7, 8, 9, 10, 11, 12, 13, 14], undefined],
])('with %j in use the next is %s', (used, next) =>
  expect(chooseNext(summary(used, range.first), range)?.number).toBe(next),
)

const block = parseIpv4Block('172.30.0.0/22')
const subnet = { ipv4_block: '172.30.0.0/22', ipv4_first: block?.first ?? 0, ipv4_last: block?.last ?? 0 }

test('a subnet reserves five addresses at its start and one at its end', () => {
  const { first, last } = usableAddresses(subnet)
  expect([formatIpv4(first), formatIpv4(last)]).toEqual(['172.30.0.5', '172.30.3.254'])
})

test.each([
  ['172.30.0.5', undefined],
  ['172.30.3.254', undefined],
  ['172.30.0.0', 'The first 5 addresses of a subnet are reserved'],
  ['172.30.0.4', 'The first 5 addresses of a subnet are reserved'],
  ['172.30.3.255', 'Cannot request a broadcast address'],
  ['172.30.4.0', '172.30.4.0 is outside subnet 172.30.0.0/22'],
  ['172.29.255.255', '172.29.255.255 is outside subnet 172.30.0.0/22'],
  ['fd00::5', 'fd00::5 is outside subnet 172.30.0.0/22'],
])('a request for %s is answered: %s', (asked, message) =>
  expect(addressProblem(asked, subnet)?.message).toBe(message),
)

test('MAC addresses have their own range', () => {
  expect(formatMac(allVpcMacs.first)).toBe('A8:40:25:F0:00:00')
  expect(formatMac(allVpcMacs.last)).toBe('A8:40:25:FE:FF:FF')
})
