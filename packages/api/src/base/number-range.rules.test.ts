import { describe, expect, test } from 'vitest'
import { icmpCodeProblem, icmpTypeProblem, readIcmpCodes, tidyIcmpCode } from '../rack-network/icmp.rules.ts'
import { isReversed } from './number-range.rules.ts'
import { portRangeProblem, readPortRange } from './port-range.rules.ts'

const invalid = 'Not a valid port range'
test.each([
  ['22', undefined],
  ['1', undefined],
  ['65535', undefined],
  ['00022', undefined],
  ['8000-8100', undefined],
  ['80-80', undefined],
  ['  80-90 ', undefined],
  ['', invalid],
  ['0', invalid],
  ['65536', invalid],
  ['123456', invalid],
  ['80-', invalid],
  ['-80', invalid],
  ['80 - 90', invalid],
  ['90-80', invalid],
  ['80-90-100', invalid],
  ['80–90', invalid],
  ['8o', invalid],
  ['1e3', invalid],
  ['+80', invalid],
  ['٨٠', invalid],
])('the port range %j: %s', (text, problem) => expect(portRangeProblem(text)).toBe(problem))

test('the API accepts no blanks, and reports a reversed range separately', () => {
  expect(readPortRange(' 80')).toBeUndefined()
  const reversed = readPortRange('90-80')
  expect(reversed && isReversed(reversed)).toBe(true)
})

const notNumeric = 'ICMP code must be a number or a range of numbers'
test.each([
  ['', undefined],
  [' ', undefined],
  ['0', undefined],
  ['255', undefined],
  ['0-255', undefined],
  ['3–4', undefined],
  ['0003', 'ICMP code must be between 0 and 255'],
  ['256', 'ICMP code must be between 0 and 255'],
  ['256-300', 'ICMP code range start must be between 0 and 255'],
  ['1-256', 'ICMP code range end must be between 0 and 255'],
  ['4-3', 'ICMP code range start must not be above its end'],
  ['x', notNumeric],
  ['1-', notNumeric],
  ['-1', notNumeric],
  ['1.5', notNumeric],
])('the ICMP code %j: %s', (text, problem) => expect(icmpCodeProblem(text)).toBe(problem))

test.each([
  ['0', true],
  ['255', true],
  [' 8 ', true],
  ['256', false],
  ['8abc', false],
  ['-1', false],
  ['', false],
])('%j is an ICMP type: %s', (text, good) =>
  expect(icmpTypeProblem(text)).toBe(good ? undefined : 'ICMP type must be a number between 0 and 255'),
)

describe('a form and the API accept the same input', () => {
  let state = 5
  const roll = (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  const characters = ['0', '1', '5', '9', '-', ' ', '–', 'a', '.']
  const any = (numbers: number): string => {
    if (roll(3) === 0)
      return Array.from({ length: roll(8) }, () => characters[roll(characters.length)]).join('')
    const end = roll(2) ? `-${roll(numbers)}` : ''
    return `${roll(numbers)}${end}`
  }

  test.each([
    ['port ranges', 70_000, portRangeProblem, readPortRange, (text: string) => text.trim()],
    ['ICMP codes', 300, icmpCodeProblem, readIcmpCodes, tidyIcmpCode],
  ] as const)('%s', (_, numbers, problem, read, tidy) => {
    const count = { good: 0, bad: 0 }
    for (let turn = 0; turn < 20_000; turn++) {
      const text = any(numbers)
      const tidied = tidy(text)
      if (tidied === '') continue
      const range = read(tidied)
      expect([text, problem(text) === undefined]).toEqual([text, range !== undefined && !isReversed(range)])
      const [first = '', last = first] = tidied.split('-')
      // Accepted text parses to the numbers written in it.
      expect(range ?? 'none').toEqual(range ? { first: Number(first), last: Number(last) } : 'none')
      count[range ? 'good' : 'bad']++
    }
    expect(Math.min(count.good, count.bad)).toBeGreaterThan(1000)
  })
})
