import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilReached } from './run-here.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Answers one poll after the other, the last one for ever. */
function answer(first: () => Response, ...rest: (() => Response)[]): void {
  const answers = [first, ...rest]
  vi.stubGlobal('fetch', async () => (answers.length > 1 ? answers.shift() : answers[0])?.())
}
const state = (run_state: string) => () => Response.json({ run_state })
const noConnection = () => {
  throw new TypeError('failed to fetch')
}
const proxyError = () => new Response('<html>', { status: 502 })
const refusal = () =>
  Response.json({ request_id: 'r1', error_code: 'Forbidden', message: 'forbidden' }, { status: 403 })

/** What the wait ends with. */
async function ending(): Promise<unknown> {
  const end = untilReached('start', 'p', 'web').then(
    () => 'reached',
    (error: Error) => error.message,
  )
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  return end
}

test('polls that reach no server do not end the wait', async () => {
  answer(state('starting'), noConnection, proxyError, state('running'))
  expect(await ending()).toBe('reached')
})

test('a server that remains unreachable ends it with that reason', async () => {
  answer(noConnection)
  expect(await ending()).toBe('Could not reach the server')
})

test('a refusal ends it at once', async () => {
  answer(refusal, state('running'))
  expect(await ending()).toMatch(/forbidden|not authorized/i)
})
