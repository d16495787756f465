import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

const never = new AbortController().signal
const tick = () => new Promise((resolve) => setTimeout(resolve, 1))

test('runs a limited number at a time, each once, in order', async () => {
  let under = 0
  let largest = 0
  const taken: number[] = []
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, never, async (item) => {
    taken.push(item)
    largest = Math.max(largest, ++under)
    await tick()
    under--
  })
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(largest).toBe(3)
})

test('the first failure aborts the running items, starts no more, and is thrown', async () => {
  const taken: number[] = []
  const aborted: number[] = []
  const work = inParallel([1, 2, 3, 4], 2, never, async (item, signal) => {
    taken.push(item)
    if (item === 2) throw new Error('two is bad')
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted.push(item)
        reject(new Error('given up'))
      }),
    )
  })
  await expect(work).rejects.toThrow('two is bad')
  expect([taken, aborted]).toEqual([[1, 2], [1]])
})

test('starts no more items once aborted', async () => {
  const outside = new AbortController()
  const taken: number[] = []
  const work = inParallel([1, 2, 3], 1, outside.signal, async (item) => {
    taken.push(item)
    outside.abort(new Error('enough'))
  })
  await expect(work).rejects.toThrow('enough')
  expect(taken).toEqual([1])
})
