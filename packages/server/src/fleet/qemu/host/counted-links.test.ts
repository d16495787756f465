import { expect, test } from 'vitest'
import { CountedLinks } from './counted-links.ts'
import type { LinkTotals } from './host-sensors.ts'

const links = (bytes_sent: number, packets_sent = 0): Map<string, LinkTotals> =>
  new Map([
    [
      'eth0',
      {
        bytes_sent,
        bytes_received: 0,
        packets_sent,
        packets_received: 0,
        packets_dropped: 0,
        errors_sent: 0,
        errors_received: 0,
      },
    ],
  ])
/** The bytes and packets sent, and since when. */
function counting() {
  const counted = new CountedLinks()
  return (at: number, reading: Map<string, LinkTotals>) => {
    const link = counted.at(at, reading).get('eth0')
    return link && [link.since, link.totals.bytes_sent, link.totals.packets_sent]
  }
}

test('a link counts from its first reading', () => {
  const count = counting()
  expect(count(10_000, links(5000, 70))).toEqual([10_000, 0, 0])
  expect(count(20_000, links(5100, 71))).toEqual([10_000, 100, 1])
})

test('one that starts over counts from the reading before, also what it has counted since', () => {
  const count = counting()
  count(10_000, links(5000, 70))
  count(20_000, links(5100, 71))
  expect(count(30_000, links(40, 3))).toEqual([20_000, 40, 3])
  expect(count(40_000, links(90, 5))).toEqual([20_000, 90, 5])
})

test('one that comes back counts anew', () => {
  const count = counting()
  count(10_000, links(5000))
  expect(count(20_000, new Map())).toBeUndefined()
  expect(count(30_000, links(9000))).toEqual([30_000, 0, 0])
})
