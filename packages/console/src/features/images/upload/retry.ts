/** Waits; throws as soon as it is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })

/** Two retries, after these delays. */
const backOffMs = [1000, 2000]

/** Retries on failure, unless aborted. */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  waitsMs: readonly number[] = backOffMs,
): Promise<Result> {
  const [waitMs, ...rest] = waitsMs
  try {
    return await run()
  } catch (error) {
    if (signal.aborted || waitMs === undefined) throw error
    await sleep(waitMs, signal)
    return withRetries(run, signal, rest)
  }
}
