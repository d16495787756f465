import { expect, test } from 'vitest'
import { boundedTurns, TooBusy } from './turns.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('a limited amount runs at once, the rest in order, and excess is refused', async () => {
  const inTurn = boundedTurns({ atOnce: 2, waiting: 3 })
  const started: number[] = []
  const ends = new Map<number, () => void>()
  const work = (index: number) =>
    inTurn(() => {
      started.push(index)
      return new Promise<number>((resolve) => ends.set(index, () => resolve(index)))
    })
  const all = Array.from({ length: 7 }, (_, index) => work(index))
  const refused = await Promise.allSettled(all.slice(5))
  expect(refused.map((one) => one.status === 'rejected' && one.reason instanceof TooBusy)).toEqual([
    true,
    true,
  ])
  expect(started).toEqual([0, 1])
  ends.get(1)?.()
  await settled()
  // A newcomer does not overtake those that wait.
  all.push(work(7))
  await settled()
  expect(started).toEqual([0, 1, 2])
  for (const index of [0, 2, 3, 4, 7]) {
    ends.get(index)?.()
    await settled()
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 7])
  expect(await Promise.all([...all.slice(0, 5), all[7]])).toEqual([0, 1, 2, 3, 4, 7])
})

test('failed work releases its turn', async () => {
  const inTurn = boundedTurns({ atOnce: 1, waiting: 0 })
  for (let count = 0; count < 3; count++)
    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn(() => Promise.resolve('yes'))).toBe('yes')
})
