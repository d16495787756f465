// @chunk image-uploads: of uploads of releases too, which would otherwise load with every page.
import type { CallOptions, InputOf, OpRef, OutputOf } from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { call, type Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { session } from '#/data/session.ts'

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

/** No answer, or an answer from a proxy in the server's place. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Failure && !error.errorCode && [0, 502, 503, 504].includes(error.statusCode)

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

interface Patience {
  signal: AbortSignal
  /** Between two attempts. */
  waitMs: number
  waiting?: (isWaiting: boolean) => void
}

/** Runs work again for as long as the server is unreachable. */
export async function untilReachable<Result>(
  work: () => Promise<Result>,
  { signal, waitMs, waiting }: Patience,
): Promise<Result> {
  for (;;) {
    try {
      const result = await work()
      waiting?.(false)
      return result
    } catch (error) {
      if (signal.aborted || !isUnreachable(error)) throw error
      waiting?.(true)
      await sleep(waitMs, signal)
    }
  }
}

/**
 * Like `call`, but for an upload that outlasts its session: waits until the user has signed in again, and resumes. A
 * request that takes longer than `timeoutMs` fails.
 */
export async function lastingCall<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  { timeoutMs, ...options }: CallOptions & { timeoutMs?: number } = {},
  send: Send = call,
): Promise<OutputOf<Name>> {
  for (;;) {
    try {
      // For each request anew: signing in takes as long as it takes.
      const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]
      const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), ...timeout])
      return (await send(op, input, { ...options, signal })).data
    } catch (error) {
      if (!(error instanceof Failure) || error.statusCode !== 401) throw error
      await session.renewed(options.signal)
    }
  }
}
