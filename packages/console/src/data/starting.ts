import { startingHeader, startingRetrySeconds } from '@gantry/api/base/starting.rules'
import { createStore } from '#/store.ts'

/** After this deadline, the server's answer goes to the caller. */
const deadlineMs = 120_000

/** How many requests wait for a starting server. */
export const waitingRequests = createStore(0)

/** Repeats a request until the server has started. A starting server reads no request, so nothing is done twice. */
export async function onceStarted(
  send: () => Promise<Response>,
  signal?: AbortSignal | null,
): Promise<Response> {
  const first = await send()
  if (!isStarting(first)) return first
  const deadline = performance.now() + deadlineMs
  waitingRequests.set(waitingRequests.get() + 1)
  try {
    for (;;) {
      await pause(signal)
      const answer = await send()
      if (!isStarting(answer) || performance.now() > deadline) return answer
    }
  } finally {
    waitingRequests.set(waitingRequests.get() - 1)
  }
}

const isStarting = ({ status, headers }: Response): boolean => status === 503 && headers.has(startingHeader)

const pause = (signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, startingRetrySeconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
