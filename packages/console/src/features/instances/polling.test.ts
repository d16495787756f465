import type { RunState } from '@gantry/api/compute/instance.rules'
import { expect, test } from 'vitest'
import { listFastMs, listPolling, listSlowMs, listWindowMs, viewPolling } from './polling.ts'

/** The poll intervals that a list returns for states at given times. */
function pauses(...looks: [atMs: number, ...rows: `${string}|${RunState}`[]][]): number[] {
  let time = 0
  const poll = listPolling(() => time)
  return looks.map(([at, ...rows]) => {
    time = at
    return poll(
      rows.map((row) => {
        const [id = '', runState] = row.split('|')
        return { id, runState: runState as RunState }
      }),
    )
  })
}

test('a list without transitional states is polled once a minute', () => {
  expect(pauses([0, 'a|running', 'b|stopped', 'c|failed', 'd|migrating', 'e|repairing'])).toEqual([
    listSlowMs,
  ])
})

test.each(['creating', 'starting', 'stopping', 'rebooting'] as const)(
  '%s opens a window of fast polling',
  (state) => {
    const row = `a|${state}` as const
    expect(pauses([0, row], [listWindowMs - 1, row], [listWindowMs, row])).toEqual([
      listFastMs,
      listFastMs,
      listSlowMs,
    ])
  },
)

test('a changed state of the same row opens the window again', () => {
  expect(pauses([0, 'a|starting'], [40_000, 'a|starting'], [41_000, 'a|stopping'])).toEqual([
    listFastMs,
    listSlowMs,
    listFastMs,
  ])
})

test('a row that leaves does not open the window again', () => {
  expect(pauses([0, 'a|starting', 'b|stopping'], [40_000, 'a|starting'])).toEqual([listFastMs, listSlowMs])
})

test('fast polling ends at once when no state is transitional', () => {
  expect(pauses([0, 'a|starting'], [3000, 'a|running'])).toEqual([listFastMs, listSlowMs])
})

const now = new Date('2026-01-01T12:00:00Z')
const later = new Date('2026-01-01T12:05:00Z')
const earlier = new Date('2026-01-01T11:55:00Z')

test.each([
  ['running', true, null, false],
  ['stopped', true, null, false],
  ['starting', true, null, 2000],
  ['rebooting', false, null, 2000],
  ['migrating', true, null, false],
  ['failed', false, null, false],
  ['failed', true, null, 2000],
  ['failed', true, earlier, 2000],
  ['failed', true, later, 30_000],
] as const)('an instance that is %s, restarting %s, cooling until %s is polled every %s ms', (...given) => {
  const [runState, autoRestartEnabled, autoRestartCooldownExpiration, expected] = given
  expect(viewPolling({ runState, autoRestartEnabled, autoRestartCooldownExpiration }, now)).toBe(expected)
})

test('nothing is polled before the first read', () => expect(viewPolling(undefined, now)).toBe(false))
