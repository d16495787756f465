/** Waits; throws as soon as it is given up. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal.addEventListener('abort', giveUp, { once: true })
  })

/** Two further attempts, after so many milliseconds. */
const backOffMs = [1000, 2000]

/** Tries again what has failed, unless it was given up. */
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
