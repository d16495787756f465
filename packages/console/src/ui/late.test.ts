import { expect, test, vi } from 'vitest'
import { onMissing, patiently } from './late.ts'

test('what does not come is asked for until it does, and that it stays away is told after a while', async () => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  const told: number[] = []
  let asked = 0
  onMissing(() => told.push(asked))
  const code = await patiently(async () => {
    asked += 1
    if (asked < 5) throw new TypeError('Failed to fetch dynamically imported module')
    return 'code'
  })
  vi.useRealTimers()
  onMissing(() => undefined)
  expect([code, told]).toEqual(['code', [3, 4]])
})
