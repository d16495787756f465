import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onceStarted, waitingRequests } from './starting.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const notYet = () => new Response('{}', { status: 503, headers: { 'x-gantry-starting': '1' } })
/** A server that becomes ready after this many requests. */
function server(refusals: number, ready = () => new Response('ready')) {
  let requestCount = 0
  return vi.fn(async () => ((requestCount += 1) > refusals ? ready() : notYet()))
}

test('a request waits until the server has started, and reports the wait', async () => {
  const send = server(3)
  const notified: number[] = []
  const leave = waitingRequests.subscribe(() => void notified.push(waitingRequests.get()))
  const answer = onceStarted(send)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await (await answer).text()).toBe('ready')
  expect(send).toHaveBeenCalledTimes(4)
  expect(notified).toEqual([1, 0])
  leave()
})

test.each([200, 400, 503])('an answer of a server that has started is the answer: %i', async (status) => {
  const send = server(0, () => new Response('', { status }))
  expect((await onceStarted(send)).status).toBe(status)
  expect(send).toHaveBeenCalledTimes(1)
})

test("a wait past the deadline returns the server's answer", async () => {
  const answer = onceStarted(server(Number.POSITIVE_INFINITY))
  await vi.advanceTimersByTimeAsync(180_000)
  expect((await answer).status).toBe(503)
  expect(waitingRequests.get()).toBe(0)
})

test('an aborted request is not sent again', async () => {
  const send = server(Number.POSITIVE_INFINITY)
  const leaving = new AbortController()
  const answer = onceStarted(send, leaving.signal)
  const failure = answer.then(
    () => 'answered',
    (reason: Error) => reason.message,
  )
  await vi.advanceTimersByTimeAsync(500)
  leaving.abort(new Error('gone'))
  expect(await failure).toBe('gone')
  await vi.advanceTimersByTimeAsync(5000)
  expect(send).toHaveBeenCalledTimes(1)
  expect(waitingRequests.get()).toBe(0)
})
