import type { Client } from '../../e2e/client.ts'
import { acts } from './acts.ts'
import { type Chance, pause, weighed } from './chance.ts'
import type { Ledger } from './ledger.ts'

/** What a client of the load works with. */
export interface Load {
  client: Client
  ledger: Ledger
  chance: Chance
  project: string
  /** Other people of the silo, by id. */
  people: readonly string[]
  nextName: (prefix: string) => string
}

interface Answer {
  ok: boolean
  status: number
  generation: number
  body: unknown
}

/** Nobody answered, or only a proxy: it may have been done or not. */
class Unanswered extends Error {}

/** Sends one request and keeps what was answered. */
export async function ask(
  { client, ledger }: Load,
  what: string,
  method: string,
  path: string,
  more: { body?: unknown; bytes?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await client.request(method, path, more).catch(unanswered)
  const text = await response.text().catch(unanswered)
  const { ok, status, headers } = response
  if (status === 502) throw new Unanswered(text)
  ledger.count(`${what} ${status}`)
  // "Not now" and "no room" are answers; anything else of the kind is a fault.
  if (status >= 500 && status !== 503 && status !== 507) ledger.faults.push(`${what} ${status} ${text}`)
  if (status === 503) await pause(50)
  const isChange = method !== 'GET' && what !== 'upload part'
  if (ok && method !== 'GET') ledger.acknowledged++
  if (isChange && status < 500) ledger.answered.push({ request: headers.get('x-request-id') ?? '', status })
  // A server that is not ready yet says so in plain words.
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const body: unknown = isJson ? JSON.parse(text) : undefined
  return { ok, status, generation: Number(headers.get('etag')?.replaceAll('"', '')), body }
}

function unanswered(cause: unknown): never {
  throw new Unanswered('the connection broke', { cause })
}

/** One thing after the other, until it is over. */
export const churn = (load: Load, isOver: () => boolean): Promise<void> =>
  untilOver(isOver, () => weighed(load.chance, acts).run(load))

/** Again and again, also where nobody answers for a while. */
export async function untilOver(isOver: () => boolean, run: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await pause(20)
    }
  }
}
