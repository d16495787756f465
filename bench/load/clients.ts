import { fork } from 'node:child_process'
import path from 'node:path'
import { callers, sessionOf } from '../fill.ts'
import { summary, type Times } from '../measure.ts'

export interface Call {
  method: string
  path: string
  body?: unknown
}

interface Result {
  taken: number[]
  totalMs: number
  failures: string[]
}

export interface Clients {
  /** Concurrent clients, each with its own connection and session, for `ms`. */
  repeat: (clients: number, ms: number, calls: readonly Call[]) => Promise<Times>
  /** Makes every call once. */
  once: (clients: number, calls: readonly Call[]) => Promise<Times>
  stop: () => void
}

const cookies = callers.map((user) => `session=${sessionOf(user)}`)
const deadlineMs = 30_000

export function startClients(port: number): Clients {
  const child = fork(path.join(import.meta.dirname, 'clients.mjs'), { execArgv: [] })
  const run = async (job: object): Promise<Times> => {
    const result = await new Promise<Result>((resolve, reject) => {
      const ended = (): void => reject(new Error('the process of the clients ended'))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as Result)
      })
      child.send({ port, cookies, ...job })
    })
    const [failure] = result.failures
    if (failure) console.log(`  ${result.failures.length} of ${result.taken.length} failed: ${failure}`)
    return summary(result.taken, result.totalMs)
  }
  return {
    repeat: (clients, ms, calls) => run({ clients, ms, calls, once: false }),
    once: (clients, calls) => run({ clients, ms: deadlineMs, calls, once: true }),
    stop: () => void child.kill(),
  }
}
