import { Worker } from 'node:worker_threads'
import { boundedTurns } from '@gantry/control-plane/work/turns'

interface Options {
  /** A module that posts `ready`, and then answers each message with one message. */
  file: URL
  name: string
  atOnce: number
  waiting: number
  deadlineMs: number
  heapMb: number
}

/** Rejects with `TooBusy` when the queue is full, with `ThreadGaveUp` when the work itself is too much. */
type Ask<Question, Answer> = (question: Question) => Promise<Answer>

/** The work exceeded its limit of time or memory. Its thread has been ended. */
export class ThreadGaveUp extends Error {
  override readonly name = 'ThreadGaveUp'
}

/** Loading the module is our own work and does not count against a deadline. */
const START_DEADLINE_MS = 20_000
/** Requests tend to come in groups, and a waiting thread holds memory. */
const IDLE_MS = 60_000

/** Processes untrusted input in threads that do not block others: limited in number, each with a deadline. */
export function deadlineThreads<Question, Answer>(options: Options): Ask<Question, Answer> {
  const inTurn = boundedTurns(options)
  const idle: Thread[] = []
  return (question) =>
    inTurn(async () => {
      const thread = idle.pop() ?? (await startThread(options))
      const answer = await thread.ask(question, options.deadlineMs)
      idle.push(thread)
      thread.endWhenIdle(() => void idle.splice(idle.indexOf(thread), 1))
      return answer as Answer
    })
}

interface Thread {
  /** The thread's answer. Any other outcome ends the thread. */
  ask: (question: unknown, deadlineMs: number) => Promise<unknown>
  endWhenIdle: (onEnd: () => void) => void
}

async function startThread({ file, name, heapMb }: Options): Promise<Thread> {
  const worker = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  // A thread must not keep an otherwise finished process alive.
  worker.unref()
  let idleTimer: NodeJS.Timeout | undefined
  const nextMessage = (deadlineMs: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ThreadGaveUp(`${name} took more than ${deadlineMs} ms`)),
        deadlineMs,
      )
      worker.removeAllListeners()
      worker.on('message', (message) => {
        clearTimeout(timer)
        resolve(message)
      })
      const fail = (error: Error): void => {
        clearTimeout(timer)
        reject(error)
      }
      worker.on('error', (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadGaveUp(error.message) : error),
      )
      worker.on('messageerror', fail)
      worker.on('exit', (code) => fail(new Error(`${name} ended with code ${code}`)))
    }).catch(async (error: unknown) => {
      await worker.terminate()
      throw error
    })
  await nextMessage(START_DEADLINE_MS)
  return {
    ask: (question, deadlineMs) => {
      clearTimeout(idleTimer)
      // A thread has no origin, which the rule expects here.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(question)
      return nextMessage(deadlineMs)
    },
    endWhenIdle: (onEnd) => {
      idleTimer = setTimeout(() => {
        onEnd()
        void worker.terminate()
      }, IDLE_MS).unref()
    },
  }
}
