import type { RunState } from '@gantry/api/instance.rules'
import { expect, test } from 'vitest'
import { listFastMs, listPolling, listSlowMs, listWindowMs } from './list-polling.ts'
import { viewPolling } from './polling.ts'

/** Feeds a list with looks at given times, and gives the pause after each. */
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

test('a list at rest is looked at once a minute', () => {
  expect(pauses([0, 'a|running', 'b|stopped', 'c|failed', 'd|migrating', 'e|repairing'])).toEqual([
    listSlowMs,
  ])
})

test.each(['creating', 'starting', 'stopping', 'rebooting'] as const)(
  '%s opens a window of quick looks',
  (state) => {
    const row = `a|${state}` as const
    expect(pauses([0, row], [listWindowMs - 1, row], [listWindowMs, row])).toEqual([
      listFastMs,
      listFastMs,
      listSlowMs,
    ])
  },
)

test('another state of the same row opens the window again', () => {
  expect(pauses([0, 'a|starting'], [40_000, 'a|starting'], [41_000, 'a|stopping'])).toEqual([
    listFastMs,
    listSlowMs,
    listFastMs,
  ])
})

test('a row that leaves does not open the window again', () => {
  expect(pauses([0, 'a|starting', 'b|stopping'], [40_000, 'a|starting'])).toEqual([listFastMs, listSlowMs])
})

test('once nothing moves any more, quick looks end at once', () => {
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
] as const)('one that is %s, restarting %s, cooling until %s is looked at every %s ms', (...given) => {
  const [runState, autoRestartEnabled, autoRestartCooldownExpiration, expected] = given
  expect(viewPolling({ runState, autoRestartEnabled, autoRestartCooldownExpiration }, now)).toBe(expected)
})

test('nothing is looked at before it is there', () => expect(viewPolling(undefined, now)).toBe(false))
