import { describe, expect, test } from 'vitest'
import { dice } from './firewall.fixtures.ts'
import { moved, placed, roundest } from './order.ts'

const order = (...priorities: number[]) =>
  placed(priorities.map((priority, index) => ({ name: 'abcdefgh'.charAt(index), priority })))
const shown = (rules: readonly { name: string; priority: number }[]) =>
  rules.map(({ name, priority }) => `${name}${priority}`).join(' ')

describe('a moved rule', () => {
  test.each([
    ['gets a round number between its neighbours', [100, 200, 300], 0, 1, 'b200 a250 c300'],
    ['gets a round number at the end', [100, 200, 300], 0, 2, 'b200 c300 a30000'],
    ['gets a round number at the top', [100, 200, 300], 2, 0, 'c50 a100 b200'],
    ['pushes the rules below if that changes fewest priorities', [1, 2, 3, 9], 3, 1, 'a0 d1 b2 c3'],
    [
      'pushes the rules above if there is no room below',
      [65_533, 65_534, 65_535],
      0,
      2,
      'b65533 c65534 a65535',
    ],
    ['keeps ties', [5, 6, 6, 6, 90], 4, 1, 'a4 e5 b6 c6 d6'],
    ['breaks a tie that it lands in', [7, 65_534, 65_534], 0, 1, 'b65532 a65533 c65534'],
    ['makes room above 0', [0, 1], 1, 0, 'b0 a1'],
    ['stays at its new position', [1, 2], 1, 1, 'a1 b2'],
  ])('%s', (_, priorities, from, to, expected) =>
    expect(shown(moved(order(...priorities), from, to))).toBe(expected),
  )

  test('returns to its stored priority when moved back', () => {
    const start = order(100, 100, 200)
    expect(moved(moved(start, 0, 2), 2, 0)).toEqual(start)
  })

  test('releases the room made for it when moved again', () =>
    expect(shown(moved(moved(order(300, 65_534, 65_534), 2, 1), 1, 0))).toBe('c100 a300 b65534'))
})

test.each([
  [1, 99, 50],
  [201, 299, 250],
  [0, 65_534, 30_000],
  [65_501, 65_534, 65_520],
  [7, 7, 7],
  [0, 0, 0],
  [8, 7, undefined],
])('between %i and %i, the number to use is %s', (low, high, expected) =>
  expect(roundest(low, high)).toBe(expected),
)

test('after any moves, the order on screen is the order of the priorities', () => {
  const roll = dice(9)
  for (let round = 0; round < 400; round++) {
    const size = 1 + roll(8)
    const start = [0, 30, 65_528][roll(3)] ?? 0
    let now = order(...Array.from({ length: size }, () => start + roll(8)))
    for (let move = 0; move < 6; move++) {
      const [from, to] = [roll(size), roll(size)]
      const before = now
      now = moved(before, from, to)
      const wanted = before.filter((_, index) => index !== from).map(({ name }) => name)
      wanted.splice(to, 0, before[from]?.name ?? '')
      expect(now.map(({ name }) => name)).toEqual(wanted)
      const sorted = [...now].sort((one, other) => one.priority - other.priority || one.rank - other.rank)
      expect(shown(sorted)).toBe(shown(now))
      for (const { priority } of now) {
        expect(priority).toBeGreaterThanOrEqual(0)
        expect(priority).toBeLessThanOrEqual(65_535)
      }
    }
  }
})

test('makes room in a full list of the maximum number of rules', () => {
  const full = placed(Array.from({ length: 1024 }, (_, index) => ({ name: `r${index}`, priority: index })))
  const now = moved(full, 1023, 0)
  expect(now[0]).toMatchObject({ name: 'r1023', priority: 0 })
  expect(now.at(-1)).toMatchObject({ name: 'r1022', priority: 1023 })
})
