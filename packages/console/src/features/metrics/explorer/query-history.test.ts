import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryHistory } from './query-history.ts'

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
  const history = queryHistory('u-1')
  for (let index = 0; index < 25; index++) history.add(`get a:b${index}`)
  history.add('get a:b10')
  expect(history.all()).toHaveLength(20)
  expect(history.all().slice(0, 2)).toEqual(['get a:b10', 'get a:b24'])
  expect(queryHistory('u-2').all()).toEqual([])
})

test.each(['not json', '{}', '[1, null, ""]', JSON.stringify(['x'.repeat(5000)])])(
  'stored nonsense (%.12s) counts as nothing',
  (text) => {
    stored.set('gantry-query-history u-1', text)
    expect(queryHistory('u-1').all()).toEqual([])
  },
)

test('without storage there is no history, and queries still run', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('denied')
    },
  })
  const history = queryHistory('u-1')
  history.add('get a:b')
  expect(history.all()).toEqual([])
})
