import { expect, test } from 'vitest'
import { readCron } from './cron.rules.ts'
import { kept, type KeepRule } from './keep.rules.ts'
import { cronOf, keepWords, nextTimes, timingProblem, timingWords } from './schedule.rules.ts'
import { clockAt, isTimeZone, lastTime, timesAfter } from './times.rules.ts'

const cronIn = (text: string) => {
  const { cron, problem } = readCron(text)
  if (!cron) throw new Error(problem)
  return cron
}
const next = (text: string, zone: string, after: string, count: number): string[] =>
  timesAfter(cronIn(text), zone, Date.parse(after), count).map((time) =>
    new Date(time).toISOString().replace(/:00\.000Z/, 'Z'),
  )

test.each([
  [
    'every hour counts the time that passes, over a clock put back',
    '30 * * * *',
    '2026-10-24T23:40Z',
    4,
    ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z', '2026-10-25T03:30Z'],
  ],
  [
    'a time that occurs twice is due once',
    '30 2 * * *',
    '2026-10-24T12:00Z',
    2,
    ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ],
  [
    'a time that is skipped is due when the clocks go on',
    '30 2 * * *',
    '2026-03-28T12:00Z',
    2,
    ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
  ],
  [
    'several skipped times are due once',
    '0,30 2 * * *',
    '2026-03-28T12:00Z',
    2,
    ['2026-03-29T01:00Z', '2026-03-30T00:00Z'],
  ],
  ['a leap day', '0 0 29 2 *', '2026-01-01T00:00Z', 2, ['2028-02-28T23:00Z', '2032-02-28T23:00Z']],
  [
    'a day of the month or a weekday',
    '0 12 13 * fri',
    '2026-11-01T00:00Z',
    3,
    ['2026-11-06T11:00Z', '2026-11-13T11:00Z', '2026-11-20T11:00Z'],
  ],
  ['Sunday is 0 and 7', '0 0 * * 7', '2026-11-24T00:00Z', 1, ['2026-11-28T23:00Z']],
])('%s', (_what, text, after, count, expected) => {
  expect(next(text, 'Europe/Berlin', after, count)).toEqual(expected)
})

test('zones with odd offsets, odd steps, and a day that was skipped', () => {
  expect(next('0 9 * * *', 'Asia/Kathmandu', '2026-01-01T00:00Z', 1)).toEqual(['2026-01-01T03:15Z'])
  // Lord Howe Island puts its clocks forward by half an hour at 2.
  expect(next('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', 2)).toEqual([
    '2026-10-03T15:30Z',
    '2026-10-04T15:15Z',
  ])
  // Samoa had no December 30 in 2011.
  expect(next('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00Z', 3)).toEqual([
    '2011-12-29T22:00Z',
    '2011-12-30T10:00Z',
    '2011-12-30T22:00Z',
  ])
})

test('agrees with a clock that is read minute by minute', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
  const begins = [
    '2026-03-28T20:00Z',
    '2026-03-07T20:00Z',
    '2026-10-24T20:00Z',
    '2026-10-31T20:00Z',
    '2026-10-03T10:00Z',
    '2026-04-04T10:00Z',
  ]
  let compared = 0
  for (const zone of zones)
    for (const begin of begins)
      for (const text of ['*/15 * * * *', '7 * * * *', '10 4 * * *', '*/20 2,3 * * *', '0 22 * * sat,sun']) {
        const from = Date.parse(begin)
        const until = from + 36 * 3_600_000
        const cron = cronIn(text)
        // What is skipped has rules of its own, so only what the clocks show is compared.
        const shown = new Map<number, number>()
        for (let time = from + 60_000; time <= until; time += 60_000) {
          const clock = new Date(clockAt(zone, time))
          const isDue =
            cron.minutes.includes(clock.getUTCMinutes()) &&
            cron.hours.includes(clock.getUTCHours()) &&
            cron.weekdays.includes(clock.getUTCDay())
          if (isDue && (cron.isEveryHour || !shown.has(clock.getTime())))
            shown.set(cron.isEveryHour ? time : clock.getTime(), time)
        }
        const computed = timesAfter(cron, zone, from, 400).filter((time) => time <= until)
        const isShown = (time: number): boolean => {
          const clock = new Date(clockAt(zone, time))
          return cron.minutes.includes(clock.getUTCMinutes()) && cron.hours.includes(clock.getUTCHours())
        }
        const real = computed.filter(isShown)
        const expected = [...shown.values()].filter((time) => !isRepeated(zone, time, from, cron.isEveryHour))
        expect([zone, begin, text, real.filter((time) => expected.includes(time))]).toEqual([
          zone,
          begin,
          text,
          expected,
        ])
        expect(new Set(computed).size).toBe(computed.length)
        expect(lastTime(cron, zone, from, until)).toBe(computed.at(-1))
        compared += expected.length
      }
  expect(compared).toBeGreaterThan(1000)
})

/** The first occurrence was before the search began. */
const isRepeated = (zone: string, time: number, from: number, isEveryHour: boolean): boolean =>
  !isEveryHour &&
  [30, 60].some((minutes) => {
    const earlier = time - minutes * 60_000
    return earlier <= from && clockAt(zone, earlier) === clockAt(zone, time)
  })

test.each([
  ['* * * * *', 'Leave at least 5 minutes between two runs'],
  ['*/4 * * * *', 'Leave at least 5 minutes between two runs'],
  ['3,58 * * * *', undefined],
  ['1,58 * * * *', 'Leave at least 5 minutes between two runs'],
  ['*/5 * * * *', undefined],
  ['0 0 30 2 *', 'There is no such day'],
  ['0 0 31 4,6 *', 'There is no such day'],
  ['0 0 30 2 1', undefined],
  ['0 24 * * *', expect.stringContaining('no hour')],
  ['0 5-3 * * *', expect.stringContaining('no hour')],
  ['0 */0 * * *', expect.stringContaining('no hour')],
  ['0 0 * * *-3', expect.stringContaining('no weekday')],
  ['0 0 * foo *', expect.stringContaining('no month')],
  ['0 0 * *', expect.stringContaining('five fields')],
  ['', expect.stringContaining('five fields')],
])('the problem of %j', (cron, problem) => {
  const found = timingProblem({ type: 'cron', cron })
  expect(found).toEqual(problem)
})

test('simple timings in words, as cron, and what is wrong with them', () => {
  const weekly = { type: 'weekly', days: [5, 1], at: '18:05' } as const
  expect(cronOf(weekly)).toBe('5 18 * * 1,5')
  expect(timingWords(weekly)).toBe('every Monday and Friday at 18:05')
  expect(timingWords({ type: 'weekly', days: [5, 1, 2, 3, 4], at: '18:05' })).toBe('every weekday at 18:05')
  expect(timingWords({ type: 'weekly', days: [0, 6, 2, 3], at: '18:05' })).toBe(
    'every Sun, Tue, Wed and Sat at 18:05',
  )
  expect(timingWords({ type: 'hourly', minute: 1 })).toBe('every hour, 1 minute past')
  expect(timingProblem({ type: 'daily', at: '24:00' })).toBe('Enter a time of day such as 03:30')
  expect(timingProblem({ type: 'weekly', days: [], at: '03:00' })).toBe('Select at least one day')
  expect(nextTimes({ type: 'daily', at: '03:00' }, 'UTC', Date.parse('2026-01-01T03:00Z'), 1)).toEqual([
    Date.parse('2026-01-02T03:00Z'),
  ])
  expect(keepWords({ hourly: 24, daily: 7, weekly: 4, monthly: 0 })).toBe(
    'the last of each of 24 hours, 7 days and 4 weeks',
  )
})

test('only zones of the time zone database', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect([zone, isTimeZone(zone)]).toEqual([zone, true])
  for (const zone of ['', '+02:00', 'Europe/Nowhere', '../etc', 'Europe/Berlin '])
    expect([zone, isTimeZone(zone)]).toEqual([zone, false])
})

test('keeps the last of each period, and always the last of all', () => {
  const hour = 3_600_000
  const begin = Date.parse('2026-01-01T00:30Z')
  const made = Array.from({ length: 60 * 24 }, (_, at) => ({ time: begin + at * hour }))
  const stay = (keep: Partial<KeepRule>) =>
    [...kept(made, { hourly: 0, daily: 0, weekly: 0, monthly: 0, ...keep }, 'UTC')]
      .map(({ time }) => new Date(time).toISOString().slice(0, 13))
      .toSorted()
  expect(stay({ hourly: 2 })).toEqual(['2026-03-01T22', '2026-03-01T23'])
  expect(stay({ daily: 2 })).toEqual(['2026-02-28T23', '2026-03-01T23'])
  expect(stay({ weekly: 2 })).toEqual(['2026-02-22T23', '2026-03-01T23'])
  expect(stay({ monthly: 5 })).toEqual(['2026-01-31T23', '2026-02-28T23', '2026-03-01T23'])
  expect(stay({ hourly: 24, daily: 7, weekly: 4, monthly: 2 })).toHaveLength(24 + 6 + 3)
  expect(stay({})).toEqual(['2026-03-01T23'])
  expect(kept([], { hourly: 1, daily: 0, weekly: 0, monthly: 0 }, 'UTC').size).toBe(0)
})
