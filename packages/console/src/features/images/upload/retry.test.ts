import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { sleep, untilReachable, withRetries } from './retry.ts'

const never = new AbortController().signal

test.each([
  [0, 1, 'well'],
  [2, 3, 'well'],
  [3, 3, 'failure 3'],
])('an item that fails %i times gets %i attempts: %s', async (failures, expected, end) => {
  let tried = 0
  const result = withRetries(
    async () => {
      if (++tried <= failures) throw new Error(`failure ${tried}`)
      return 'well'
    },
    never,
    [0, 0],
  ).catch((error: Error) => error.message)
  expect(await result).toBe(end)
  expect(tried).toBe(expected)
})

test('does not retry after an abort', async () => {
  const controller = new AbortController()
  let tried = 0
  const work = withRetries(
    async () => {
      tried++
      controller.abort()
      throw new Error('no')
    },
    controller.signal,
    [0],
  )
  await expect(work).rejects.toThrow('no')
  expect(tried).toBe(1)
})

test('waits for an unreachable server, and for no other failure', async () => {
  const answers = [0, 502, 404].map(
    (statusCode) => new Failure({ message: `status ${statusCode}`, statusCode }),
  )
  const waits: boolean[] = []
  const work = async (): Promise<never> => Promise.reject(answers.shift() ?? new Error('too often'))
  const waiting = (isWaiting: boolean): void => void waits.push(isWaiting)
  await expect(untilReachable(work, { signal: never, waitMs: 0, waiting })).rejects.toThrow('status 404')
  expect(waits).toEqual([true, true])
  expect(await untilReachable(async () => 'well', { signal: never, waitMs: 0, waiting })).toBe('well')
})

test('an abort ends the wait at once', async () => {
  const controller = new AbortController()
  const waiting = sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})
