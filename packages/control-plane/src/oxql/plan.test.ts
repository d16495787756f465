import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse.ts'
import { planQuery } from './plan.ts'
import { rangeFor } from './select.ts'
import { atSecond } from './testing/tables.ts'

const now = atSecond(3600)
const plansOf = (text: string) => [...planQuery(parseQuery(text), now).gets.values()]
function requestOf(text: string) {
  const [plan] = plansOf(text)
  if (!plan) throw new Error('Expected a get')
  return plan.request
}
const get = 'get a:b'
const last5 = { kind: 'last', count: 5 }

describe('what is read', () => {
  it.each([
    ['timestamp > @2025-08-01T10:00:10', atSecond(10) + 1, Infinity],
    ['timestamp >= @2025-08-01T10:00:10', atSecond(10), Infinity],
    ['timestamp < @2025-08-01T10:00:10', -Infinity, atSecond(10)],
    ['timestamp <= @2025-08-01T10:00:10', -Infinity, atSecond(10) + 1],
    ['timestamp == @2025-08-01T10:00:10', atSecond(10), atSecond(10) + 1],
    ['!(timestamp < @2025-08-01T10:00:10)', atSecond(10), Infinity],
    ['timestamp >= @now() - 1h && timestamp < @2025-08-01T10:00:10', atSecond(0), atSecond(10)],
    ['timestamp >= @10:00:10 && timestamp > @now() - 1h', atSecond(10), Infinity],
    ['(x == 1 && timestamp > @now() - 1m) || timestamp == @now() - 5m', atSecond(3300), Infinity],
  ])('%s', (filter, from, to) => {
    expect(requestOf(`${get} | filter ${filter}`)).toMatchObject({ from, to })
  })

  it('takes filters from every place that may select', () => {
    const text = `{ ${get} | filter x == 1 | align mean_within(1m) | filter timestamp > @now() - 1h }
      | filter y == 2 && datum > 1.0 | group_by [z] | filter z == 3`
    const request = requestOf(text)
    expect(request.any.map(({ tests }) => tests.map(({ field }) => field))).toEqual([['x', 'y', 'z']])
    expect(request.from).toBe(atSecond(0) + 1)
  })

  it('takes no filter from behind a limit', () => {
    expect(requestOf(`${get} | last 5 | filter x == 1`)).toMatchObject({ any: [{ tests: [] }], limit: last5 })
  })

  it('gives each alternative its own times', () => {
    const request = requestOf(
      `${get} | filter (x == 1 && timestamp > @2025-08-01T10:00:10) || (x == 2 && timestamp > @2025-08-01T10:00:20)`,
    )
    const range = (value: number) => rangeFor(request, { x: { type: 'u8', value } })
    expect([range(1)?.from, range(2)?.from, range(3)]).toEqual([
      atSecond(10) + 1,
      atSecond(20) + 1,
      undefined,
    ])
  })

  it('selects fields by their value, however it is written', () => {
    const request = requestOf(
      `${get} | filter owner == "ABCDEF00-0000-4000-8000-000000000001" && at >= "10.0.0.9"`,
    )
    const fields = (value: string) => ({
      owner: { type: 'uuid' as const, value: 'abcdef00-0000-4000-8000-000000000001' },
      at: { type: 'ip_addr' as const, value },
    })
    expect(rangeFor(request, fields('10.0.0.10'))).toBeDefined()
    expect(rangeFor(request, fields('10.0.0.8'))).toBeUndefined()
    expect(rangeFor(request, fields('fd00::1'))).toBeDefined()
  })

  it('compares texts by their bytes', () => {
    const request = requestOf(`${get} | filter name > '\u{ffff}'`)
    const name = (value: string) => ({ name: { type: 'string' as const, value } })
    expect([rangeFor(request, name('😀')), rangeFor(request, name('z'))]).toEqual([
      { from: -Infinity, to: Infinity },
      undefined,
    ])
  })
})

describe('limits at loading', () => {
  it.each([
    'filter x == 1 | last 5',
    'filter timestamp > @now() - 1h | last 5',
    'filter !(timestamp < @now() - 1h) | last 5',
    'filter x == 1 && datum > 3 | last 5',
    'filter x == 1 | align mean_within(1m) | last 5',
    'filter x == 1 | align mean_within(1m) | group_by [x] | last 5',
    'last 5 | last 7',
    'last 7 | last 5',
    'last 5 | first 2',
    'last 5 | filter timestamp < @now() | align mean_within(1m)',
  ])('cross what keeps the same points: %s', (rest) => {
    expect(requestOf(`${get} | ${rest}`).limit).toEqual(last5)
  })

  it.each([
    'filter timestamp < @now() | last 5',
    'filter timestamp > @now() - 1h | first 5',
    'filter timestamp != @now() | last 5',
    'filter start_time > @now() - 1h | last 5',
    'filter x == 1 ^ timestamp > @now() - 1h | last 5',
  ])('stop at what does not: %s', (rest) => {
    expect(plansOf(`${get} | ${rest}`)[0]?.limit).toBeUndefined()
  })

  it('are not left to the source where it cannot select exactly', () => {
    const [plan] = plansOf(
      `${get} | filter (x == 1 && timestamp > @now() - 1h) || (y == 1 && timestamp > @now() - 2h) | last 5`,
    )
    expect([plan?.limit, plan?.request.limit]).toEqual([last5, undefined])
  })
})

describe('the end of the query', () => {
  it.each([
    ['filter timestamp < @2025-08-01T10:00:10', 10],
    ['filter timestamp <= @2025-08-01T10:00:10 && timestamp < @2025-08-01T10:00:30', 30],
    ['filter timestamp == @2025-08-01T10:00:10', 10],
    ['filter timestamp > @2025-08-01T10:00:10', 3600],
    ['filter timestamp >= @2025-08-01T10:00:10', 3600],
    ['filter timestamp < @now() + 1m', 3660],
  ])('%s', (rest, second) => {
    expect(planQuery(parseQuery(`${get} | ${rest}`), now).end).toBe(atSecond(second))
  })

  it('is shared by subqueries', () => {
    const text = `{ ${get} | filter timestamp < @2025-08-01T10:00:10; ${get} | filter x == 1 }`
    expect(planQuery(parseQuery(text), now).end).toBe(atSecond(10))
  })
})
