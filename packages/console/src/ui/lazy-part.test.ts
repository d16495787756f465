import { expect, test, vi } from 'vitest'
import { lazyPart, loadWithRetry, whenPartIsMissing } from './lazy-part.tsx'

test('loading retries until the code arrives, and reports a part that stays missing', async () => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  const reported: number[] = []
  let loads = 0
  whenPartIsMissing(() => reported.push(loads))
  const code = await loadWithRetry(async () => {
    loads += 1
    if (loads < 5) throw new TypeError('Failed to fetch dynamically imported module')
    return 'code'
  })
  vi.useRealTimers()
  whenPartIsMissing(() => undefined)
  expect([code, reported]).toEqual(['code', [3, 4]])
})

test('a failed prefetch throws no error', async () => {
  const Part = lazyPart(() => Promise.reject<{ Part: () => null }>(new TypeError('gone')), 'Part')
  await expect(Part.prefetch()).resolves.toBeUndefined()
})
