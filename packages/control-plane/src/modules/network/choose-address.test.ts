import { expect, test } from 'vitest'
import { allVpcMacs, chooseNext, usableAddresses } from './choose-address.ts'
import { addressProblem } from './interfaces.ts'
import { formatIpv4, formatMac, parseIpv4Block } from './ip.ts'

const range = { first: 5, last: 14 }

/** The rule as the reference words it, number by number. */
function byTheBook(used: readonly number[]): number | undefined {
  const free = (number: number) => number >= range.first && number <= range.last && !used.includes(number)
  if (used.length === 0) return range.first
  const sorted = used.toSorted((one, other) => one - other)
  return sorted.map((number) => number - 1).find(free) ?? sorted.map((number) => number + 1).find(free)
}

function summary(used: readonly number[]) {
  const below = used
    .map((number) => number - 1)
    .filter((number) => number >= range.first && !used.includes(number))
  return {
    below: below.length > 0 ? Math.min(...below) : null,
    highest: used.length > 0 ? Math.max(...used) : null,
  }
}

test('two places among the numbers in use decide as all of them would, for every set of ten', () => {
  for (let set = 0; set < 1024; set++) {
    const used = Array.from({ length: 10 }, (_, bit) => bit + range.first).filter(
      (_, bit) => set & (1 << bit),
    )
    expect(chooseNext(summary(used), range), used.join(' ')).toBe(byTheBook(used))
  }
})

test.each([
  [[], 5],
  [[5], 6],
  [[5, 6, 8], 7],
  [[10], 9],
  [[5, 6, 7, 8, 9, 10, 11, 12, 13, 14], undefined],
])('with %j in use the next is %s', (used, next) => expect(chooseNext(summary(used), range)).toBe(next))

const block = parseIpv4Block('172.30.0.0/22')
const subnet = { ipv4_block: '172.30.0.0/22', ipv4_first: block?.first ?? 0, ipv4_last: block?.last ?? 0 }

test('a subnet keeps five addresses at its start and one at its end', () => {
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
])('asking for %s is answered: %s', (asked, message) =>
  expect(addressProblem(asked, subnet)?.message).toBe(message),
)

test('MAC addresses have their own range', () => {
  expect(formatMac(allVpcMacs.first)).toBe('A8:40:25:F0:00:00')
  expect(formatMac(allVpcMacs.last)).toBe('A8:40:25:FE:FF:FF')
})
