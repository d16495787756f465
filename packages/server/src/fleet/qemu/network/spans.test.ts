import { formatIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import { dice } from '@gantry/control-plane/modules/packets/random-network.fixtures'
import { describe, expect, test } from 'vitest'
import { formatSpan, inside, joined, narrowest, outside, spanOf } from './spans.ts'

const shown = (spans: readonly { first: number; last: number; value: string }[]): string[] =>
  spans.map((span) => `${formatSpan(span)} ${span.value}`)

describe('the narrowest block around an address decides', () => {
  test.each([
    ['nothing', [], []],
    ['all addresses', ['0.0.0.0/0 a'], ['0.0.0.0-255.255.255.255 a']],
    ['the upper half', ['128.0.0.0/1 a'], ['128.0.0.0-255.255.255.255 a']],
    [
      'one in another, and one in that',
      ['10.0.0.0/8 a', '10.1.0.0/16 b', '10.1.2.0/24 c'],
      [
        '10.0.0.0-10.0.255.255 a',
        '10.1.0.0-10.1.1.255 b',
        '10.1.2.0-10.1.2.255 c',
        '10.1.3.0-10.1.255.255 b',
        '10.2.0.0-10.255.255.255 a',
      ],
    ],
    [
      'ones that share an end',
      ['10.0.0.0/30 a', '10.0.0.0/31 b', '10.0.0.3/32 c'],
      ['10.0.0.0-10.0.0.1 b', '10.0.0.2 a', '10.0.0.3 c'],
    ],
    [
      'the last address of all',
      ['255.255.255.255/32 b', '255.255.255.254/31 a'],
      ['255.255.255.254 a', '255.255.255.255 b'],
    ],
    ['the first address of all', ['0.0.0.0/32 a', '0.0.0.2/31 b'], ['0.0.0.0 a', '0.0.0.2-0.0.0.3 b']],
  ])('%s', (_, blocks, expected) => {
    const valued = blocks.map((text) => {
      const [block = '', value = ''] = text.split(' ')
      return { block, value }
    })
    expect(shown(narrowest(valued))).toEqual(expected)
    expect(shown(narrowest(valued.toReversed()))).toEqual(expected)
  })

  test('also for 200 random blocks, compared address by address', () => {
    const roll = dice(7)
    const width = () => 24 + roll(9)
    const blocks = new Map(
      Array.from({ length: 200 }, (_, value) => {
        const size = 2 ** (32 - width())
        const first = spanOf('10.0.0.0/24').first + Math.floor(roll(1024) / size) * size
        return [`${formatIpv4(first)}/${32 - Math.log2(size)}`, value] as const
      }),
    )
    const spans = narrowest([...blocks].map(([block, value]) => ({ block, value })))
    for (let address = spanOf('9.255.255.0/24').first; address < spanOf('10.0.5.0').first; address++) {
      const around = [...blocks]
        .filter(([block]) => inside({ first: address, last: address }, [spanOf(block)]).length > 0)
        .sort(([one], [other]) => Number(other.split('/')[1]) - Number(one.split('/')[1]))
      const at = spans.filter(({ first, last }) => first <= address && address <= last)
      expect(at.map(({ value }) => value)).toEqual(around.slice(0, 1).map(([, value]) => value))
    }
  })
})

const spans = (text: string) => (text === '' ? [] : text.split(' ').map(spanOf))

test.each([
  ['10.0.0.0/30', '', '10.0.0.0-10.0.0.3'],
  ['10.0.0.0/30', '10.0.0.1', '10.0.0.0 10.0.0.2-10.0.0.3'],
  ['10.0.0.0/30', '10.0.0.0 10.0.0.3', '10.0.0.1-10.0.0.2'],
  ['10.0.0.0/30', '10.0.0.0/24', ''],
  ['0.0.0.0/0', '10.0.0.0/8', '0.0.0.0-9.255.255.255 11.0.0.0-255.255.255.255'],
])('%s without %s is %s', (span, others, expected) => {
  expect(outside(spanOf(span), spans(others)).map(formatSpan).join(' ')).toBe(expected)
})

test.each([
  ['10.0.0.0/30', '', ''],
  ['10.0.0.0/30', '10.0.0.1 10.0.0.3 10.0.0.4', '10.0.0.1 10.0.0.3'],
  ['10.0.0.0/30', '10.0.0.0/8', '10.0.0.0-10.0.0.3'],
])('%s inside %s is %s', (span, others, expected) => {
  expect(inside(spanOf(span), spans(others)).map(formatSpan).join(' ')).toBe(expected)
})

test('neighbours of the same value are joined', () => {
  const valued = (block: string, value: string) => ({ ...spanOf(block), value })
  expect(
    shown(
      joined([
        valued('10.0.0.2', 'a'),
        valued('10.0.0.0/31', 'a'),
        valued('10.0.0.3', 'b'),
        valued('10.0.0.5', 'b'),
      ]),
    ),
  ).toEqual(['10.0.0.0-10.0.0.2 a', '10.0.0.3 b', '10.0.0.5 b'])
})
