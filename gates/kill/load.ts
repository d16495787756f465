import type { Client } from '../../e2e/support/client.ts'
import { type Chance, pause } from './chance.ts'
import type { Ledger } from './ledger.ts'

/** The means of a client of the load. */
export interface Load {
  client: Client
  ledger: Ledger
  chance: Chance
  project: string
  /** Other users of the silo, by id. */
  users: readonly string[]
  nextName: (prefix: string) => string
}

interface Answer {
  ok: boolean
  status: number
  generation: number
  body: unknown
}

/** No answer, or only from a proxy: the request may or may not have been performed. */
class Unanswered extends Error {}

/** Requests that write, or only ask by a body, and leave no audit record. */
const unaudited: ReadonlySet<string> = new Set(['upload part', 'check plan'])

/** Sends one request and records the answer. */
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
  // "Not now" and "no space" are valid answers; any other 5xx is an error.
  if (status >= 500 && status !== 503 && status !== 507) ledger.faults.push(`${what} ${status} ${text}`)
  if (status === 503) await pause(50)
  const isChange = method !== 'GET' && !unaudited.has(what)
  if (ok && method !== 'GET') ledger.acknowledged++
  if (isChange && status < 500) ledger.answered.push({ request: headers.get('x-request-id') ?? '', status })
  // A server that is still starting answers in plain text.
  const isJson = headers.get('content-type')?.startsWith('application/json')
  const body: unknown = isJson ? JSON.parse(text) : undefined
  return { ok, status, generation: Number(headers.get('etag')?.replaceAll('"', '')), body }
}

function unanswered(cause: unknown): never {
  throw new Unanswered('the connection broke', { cause })
}

/** Runs repeatedly, tolerating periods without an answer. */
export async function repeatUntil(isOver: () => boolean, run: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      await pause(20)
    }
  }
}
