import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryRecords, savedMax } from './query-records.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the history keeps the last 20 queries, each once, for each user', () => {
  const records = queryRecords('u-1')
  for (let index = 0; index < 25; index++) records.addToHistory(`get a:b${index}`)
  records.addToHistory('get a:b10')
  expect(records.history()).toHaveLength(20)
  expect(records.history().slice(0, 2)).toEqual(['get a:b10', 'get a:b24'])
  expect(queryRecords('u-2').history()).toEqual([])
})

test('a saved query is replaced by its name and can be removed', () => {
  const records = queryRecords('u-1')
  records.save({ name: 'reads', query: 'get a:b' })
  records.save({ name: 'busy', query: 'get a:c' })
  records.save({ name: 'reads', query: 'get a:d' })
  expect(records.saved()).toEqual([
    { name: 'busy', query: 'get a:c' },
    { name: 'reads', query: 'get a:d' },
  ])
  records.remove('busy')
  expect(records.saved().map(({ name }) => name)).toEqual(['reads'])
})

test('there is a limit to saved queries, which replacing one does not meet', () => {
  const records = queryRecords('u-1')
  for (let index = 0; index < savedMax; index++) records.save({ name: `q${index}`, query: 'get a:b' })
  expect(records.save({ name: 'more', query: 'get a:b' })).toBe('full')
  expect(records.save({ name: 'q1', query: 'get a:c' })).toBe('saved')
})

test.each(['not json', '{}', '[1, null, ""]', JSON.stringify(['x'.repeat(5000)])])(
  'stored nonsense (%.12s) counts as nothing',
  (text) => {
    stored.set('gantry-query-history u-1', text)
    stored.set('gantry-saved-queries u-1', text)
    expect(queryRecords('u-1').history()).toEqual([])
    expect(queryRecords('u-1').saved()).toEqual([])
  },
)

test('forbidden storage is reported when saving', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('denied')
    },
  })
  expect(queryRecords('u-1').save({ name: 'a', query: 'get a:b' })).toBe('forbidden')
})
