import { Worker } from 'node:worker_threads'
import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { DatabaseError } from '../database-error.ts'
import type { Answer, Asked, Rows, WorkerInput } from './messages.ts'

/** The main thread's interface to the database thread. */
export interface WorkerClient {
  query: (sql: string, parameters: readonly unknown[]) => Promise<Rows>
  /** Counts the worker's real fsync calls, and makes them fail; for tests only. */
  fsyncs: () => Promise<number>
  failFsyncs: () => Promise<void>
  /** Ends the thread by exhausting its heap; for tests only. */
  exhaust: () => Promise<void>
  /** Lets earlier requests finish, shuts the database down and ends the thread. */
  close: () => Promise<void>
}

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * Starts the thread and resolves when its database accepts queries. `onEnd` is called at most once, only
 * after that, and as soon as the database accepts no more of them. `gone` resolves with the reason when the
 * thread has ended: another one may then open the same files.
 */
export async function startWorker(
  input: WorkerInput,
  onEnd: (gone: Promise<Error>) => void,
): Promise<WorkerClient> {
  // Next to this file in the sources and in the built server alike.
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url), {
    workerData: input,
    name: 'pglite',
    // PGlite keeps its data outside the JavaScript heap, which only holds rows in transit.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 },
  })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let isReady = false
  let ended: DatabaseUnreachable | undefined
  let closing: Promise<void> | undefined

  const ask = (question: Asked): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) throw ended
      lastId += 1
      // A thread has no origin, which the rule expects here.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ ...question, id: lastId })
      waiting.set(lastId, { resolve, reject })
    })

  const gone = new Promise<Error>((resolve) => {
    let reason: Error | undefined
    const end = (error: Error): void => {
      if (reason) return
      reason = error
      refuseAll(new DatabaseUnreachable(error.message, { cause: error }))
      void worker.terminate().then(() => resolve(error))
    }
    worker.on('error', end)
    worker.on('messageerror', end)
    worker.on('exit', (code) => end(new Error(`the embedded database's thread has ended (code ${code})`)))
  })

  /** From here on the thread gets no more requests. */
  function refuseAll(error: DatabaseUnreachable): void {
    if (ended) return
    ended = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    if (isReady && !closing) onEnd(gone)
  }

  worker.on('message', (answer: Answer) => {
    if (answer === 'ready') return
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (!('error' in answer)) return asked?.resolve(answer.result)
    const error = new DatabaseError(answer.error)
    if (!isEnd(error)) return asked?.reject(error)
    // Whether the last statement took effect is unknown, as with any unanswered one.
    const unreachable = new DatabaseUnreachable('the embedded database has stopped', { cause: error })
    asked?.reject(unreachable)
    refuseAll(unreachable)
  })
  await new Promise<void>((ready, failed) => {
    worker.once('message', () => {
      isReady = true
      ready()
    })
    void gone.then(failed)
  })

  return {
    query: (sql, parameters) => ask({ ask: 'query', sql, parameters }) as Promise<Rows>,
    fsyncs: () => ask({ ask: 'fsyncs' }) as Promise<number>,
    failFsyncs: () => ask({ ask: 'fail fsyncs' }) as Promise<void>,
    exhaust: () => ask({ ask: 'run out of memory' }) as Promise<void>,
    close: () =>
      (closing ??= (async () => {
        if (ended) return
        try {
          await ask({ ask: 'close' })
        } finally {
          await worker.terminate()
        }
      })()),
  }
}

/** The thread ends after such an answer, and reports its reason first. */
const isEnd = ({ severity }: DatabaseError): boolean => severity === 'PANIC' || severity === 'FATAL'
