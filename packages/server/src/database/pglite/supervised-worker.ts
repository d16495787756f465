import { setTimeout as pause } from 'node:timers/promises'
import type { WorkerInput } from './messages.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'

/** How long each restart waits, by how many ended before it in quick succession. */
const DELAYS_MS = [100, 500, 2000, 5000, 15_000]
/** A worker that lived so long starts the count anew. */
const STEADY_MS = 30_000
/** How long a caller waits for a restart before it is told that the database is unreachable. */
const PATIENCE_MS = 15_000

/** The thread that holds the database, started again when it ends by itself. */
export interface SupervisedWorker {
  /** The worker of the moment. One that has ended says so in answer to every query. */
  current: () => Promise<WorkerClient>
  close: () => Promise<void>
}

export interface Supervision {
  /** A worker has ended, and the next one starts after so long. */
  onRestart: (error: Error, delayMs: number) => void
  /** The workers keep ending: the database is gone for good. */
  onCrash: (error: Error) => void
  delaysMs?: readonly number[]
}

/**
 * A worker ends by a heap that is full or by a disk that fails. What it committed is on the disk, and the next worker
 * recovers it as after a power cut. The lock of the data directory belongs to the process, and stays held meanwhile.
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

  // Who asks while the thread is still ending waits for the next one too.
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
