import { setTimeout as pause } from 'node:timers/promises'
import type { WorkerInput } from './messages.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'

/** Delay before each restart, by the number of recent failures in a row. */
const DELAYS_MS = [100, 500, 2000, 5000, 15_000]
/** A worker that ran this long resets the count. */
const STEADY_MS = 30_000
/** How long a caller waits for a restart before the database counts as unreachable. */
const PATIENCE_MS = 15_000

/** The thread that holds the database, restarted when it ends unexpectedly. */
export interface SupervisedWorker {
  /** The current worker. One that has ended fails every query. */
  current: () => Promise<WorkerClient>
  close: () => Promise<void>
}

export interface Supervision {
  /** A worker has ended, and the next one starts after `delayMs`. */
  onRestart: (error: Error, delayMs: number) => void
  /** The workers keep failing: the database is permanently gone. */
  onCrash: (error: Error) => void
  delaysMs?: readonly number[]
}

/**
 * A worker ends when its heap is exhausted or the disk fails. Its commits are on disk, and the next worker
 * recovers them as after a power cut. The process keeps the lock of the data directory meanwhile.
 */
export async function superviseWorker(
  input: WorkerInput,
  { onRestart, onCrash, delaysMs = DELAYS_MS }: Supervision,
): Promise<SupervisedWorker> {
  const closing = new AbortController()
  let ends = 0
  let startedAt = performance.now()
  let restarting: Promise<void> | undefined
  let worker = await startWorker(input, ended)

  // Callers that arrive while the thread is ending wait for the next one too.
  function ended(gone: Promise<Error>): void {
    if (performance.now() - startedAt > STEADY_MS) ends = 0
    restarting = gone.then(restart).finally(() => (restarting = undefined))
  }

  async function restart(error: Error): Promise<void> {
    for (let cause = error; ;) {
      const delayMs = delaysMs[ends++]
      if (delayMs === undefined) return onCrash(keepsEnding(cause))
      onRestart(cause, delayMs)
      await pause(delayMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        startedAt = performance.now()
        worker = await startWorker(input, ended)
        return
      } catch (failure) {
        cause = failure as Error
      }
    }
  }

  return {
    async current() {
      if (restarting) await Promise.race([restarting, pause(PATIENCE_MS, undefined, { ref: false })])
      return worker
    },
    async close() {
      closing.abort()
      await restarting
      await worker.close()
    },
  }
}

const keepsEnding = (cause: Error): Error =>
  new Error(`The embedded database ends again after every restart (${cause.message}).`, { cause })
